import type { Command } from "commander";

const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;

/** Adds the start and the end of an export's timeframe. */
export function addTimeframe(command: Command): Command {
  return command
    .option("--from <time>", `at or after; a date or ISO 8601, default ${DEFAULT_DAYS} days before --to`)
    .option("--to <time>", "before; default now");
}

/** Completes a timeframe: it ends now, and begins 90 days before its end. */
export function timeframeOf(
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  nowMs: number = Date.now(),
): { readonly start: string; readonly end: string } {
  const at = (ms: number) => new Date(ms).toISOString();
  const endMs = to === undefined ? nowMs : Date.parse(to);
  return { start: from ?? at((Number.isNaN(endMs) ? nowMs : endMs) - DEFAULT_DAYS * DAY_MS), end: to ?? at(nowMs) };
}
