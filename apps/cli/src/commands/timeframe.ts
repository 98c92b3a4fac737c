import type { Command } from "commander";

const USUAL_DAYS = 90;
const DAY_MS = 86_400_000;

/** Adds the moments between which an export looks. */
export function addTimeframe(command: Command): Command {
  return command
    .option("--from <time>", `at or after; a date or ISO 8601, default ${USUAL_DAYS} days before now`)
    .option("--to <time>", "before; default now");
}

/** Reads them; what is not said is the last 90 days up to now. */
export function timeframeOf(
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  nowMs: number = Date.now(),
): { readonly start: string; readonly end: string } {
  const at = (ms: number) => new Date(ms).toISOString();
  return { start: from ?? at(nowMs - USUAL_DAYS * DAY_MS), end: to ?? at(nowMs) };
}
