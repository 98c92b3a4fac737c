import { addTimeout, showJob, waitOf } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";

export const jobsWait: LeafCommand = {
  usage: "wait <id>",
  summary: "Wait for a job, with its progress on standard error; exit 7 if it failed or was canceled.",
  examples: [
    "headwater jobs wait 65f0c0ffee65f0c0ffee0001",
    "headwater jobs wait 65f0c0ffee65f0c0ffee0001 --timeout 30 --json",
  ],
  options: addTimeout,
  run: (call, [id = ""], input) => showJob(call, call.service(), { id, timeoutMs: waitOf(input).timeoutMs }),
};
