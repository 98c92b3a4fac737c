import { byLibraries } from "./messages/byLibraries.ts";
import { composer } from "./messages/composer.ts";
import { sendAll } from "./messages/sendAll.ts";
import { serveTasks } from "./processes/serveTasks.ts";
import { measured } from "./tasks/bareTasks.ts";
import { messageLoopTask } from "./tasks/messageTasks.ts";

/** Renders under way at a time, as in a window. */
const RENDERS_AT_ONCE = 4;

/** Process: makes letters by our code or by the libraries alone, or sends them in a bare loop. */
serveTasks(async (task) => {
  const wanted = messageLoopTask.parse(task);
  switch (wanted.kind) {
    case "ours":
      return measured(() => loop(wanted.seconds, RENDERS_AT_ONCE, composer().compose));
    case "libraries":
      return measured(() => loop(wanted.seconds, 1, byLibraries));
    case "send":
      return measured(() => sendAll(wanted, composer().compose));
  }
});

async function loop(seconds: number, atOnce: number, make: (contact: number) => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + 1_000 * seconds;
  let created = 0;
  const worker = async () => {
    while (performance.now() < endMs) {
      await make(created + 1);
      created += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return created;
}
