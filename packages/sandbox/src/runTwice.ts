import type { EndReason } from "./childProcess.ts";
import type { SandboxOutcome } from "./createSandbox.ts";

export interface RunTwiceOptions {
  /** Reasons that need not be the fault of the task: the machine's, or that of another task in the process. */
  readonly passing: readonly EndReason[];
  /** Called before the second run. */
  readonly onAgain?: (() => Promise<void>) | undefined;
}

/** Runs a task, and once more when its process ended for a reason that may pass. @returns the last outcome. */
export async function runTwice<Output>(
  run: () => Promise<SandboxOutcome<Output>>,
  { passing, onAgain }: RunTwiceOptions,
): Promise<SandboxOutcome<Output>> {
  const outcome = await run();
  if (outcome.kind !== "ended" || !passing.includes(outcome.reason)) return outcome;
  await onAgain?.();
  return run();
}
