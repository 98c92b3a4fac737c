import type { Logger, Metrics } from "@headwater/kernel";
import type { EndReason } from "./childProcess.ts";
import type { SandboxOptions } from "./createSandbox.ts";

const reasons: readonly EndReason[] = ["deadline", "memory", "output", "crashed"];

/** Returns what counts and logs the processes of a sandbox that foreign content ended, by the sandbox's name. */
export function reportEnds({ metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger }) {
  const ended = metrics.counter({
    name: "headwater_sandbox_ended_total",
    help: "Processes that foreign content ended, by what they work on and by the limit that was passed.",
    labels: ["sandbox", "reason"],
  });
  return (sandbox: string): NonNullable<SandboxOptions["onEnded"]> => {
    for (const reason of reasons) ended.inc({ sandbox, reason }, 0);
    return ({ flow, task, reason }) => {
      ended.inc({ sandbox, reason });
      logger.warn({ sandbox, task, reason, account: flow }, "foreign content ended its process");
    };
  };
}
