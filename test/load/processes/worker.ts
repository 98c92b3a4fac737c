import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A script of this folder in a process of its own, so that what it costs is counted apart. */
export interface Worker {
  readonly pid: number;
  /** Gives it a task and checks what comes back. @throws (rejects) when the process ends instead. */
  run<Result>(task: unknown, result: z.ZodType<Result>): Promise<Result>;
  stop(): Promise<void>;
}

const message = z.object({ ready: z.literal(true).optional(), result: z.unknown().optional() });

/** @param script a file of test/load that calls `serveTasks`. */
export async function startWorker(script: string): Promise<Worker> {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const child = fork(path, [], {
    // kafkajs as it comes hands Node negative times; that it does is known and not what is measured.
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await nextMessage(child, script);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${script} has no process`);
  return {
    pid,
    async run(task, result) {
      child.send(Object(task));
      return result.parse((await nextMessage(child, script)).result);
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await ended;
    },
  };
}

function nextMessage(child: ChildProcess, script: string): Promise<z.output<typeof message>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${script} ended with code ${code}`));
    child.once("exit", ended);
    child.once("message", (value) => {
      child.removeListener("exit", ended);
      resolve(message.parse(value));
    });
  });
}
