import { setTimeout as sleep } from "node:timers/promises";
import { Failure, runMain } from "./failure.mjs";
import { homeFolder } from "./places.mjs";
import { say } from "./say.mjs";
import { findSupervisor } from "./supervisorFile.mjs";

const STOP_TIMEOUT_MS = 180_000;
const POLL_MS = 100;

/** `npm stop`: ends everything in reverse order and returns when it has ended; the data stay. */
await runMain(async () => {
  const home = homeFolder(process.env);
  const supervisor = findSupervisor(home);
  if (supervisor === undefined) {
    say(`nothing is running for ${home}`);
    return;
  }
  process.kill(supervisor.pid, "SIGTERM");
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (findSupervisor(home)?.pid === supervisor.pid) {
    if (Date.now() > deadline) throw new Failure(`process ${supervisor.pid} does not end; its log is in ${home}/logs.`);
    await sleep(POLL_MS);
  }
  say("stopped");
});
