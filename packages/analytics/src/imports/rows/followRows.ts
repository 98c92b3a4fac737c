import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import { sleepUntilAborted } from "@headwater/kernel";
import { offsetsOfEnds, readLogEnds } from "@headwater/postgres/streams/logEnds";
import { behindWatermark } from "../../exports/waiting.ts";
import { IMPORTS_TOPIC } from "./writeRows.ts";

export interface RowsFollowed {
  /** Ends of the log, by `topic/generation/partition`. */
  readonly until: Readonly<Record<string, number>>;
  /** The state has dealt with everything before them. */
  readonly isPassed: boolean;
}

const CHECK_MS = 100;
const CHECKS_MAX = 20;

/**
 * Follows the state up to where the log ended once nothing more was written to it, for a while. How many rows a step wrote that was killed
 * or failed nobody knows: all of them lie before that end.
 */
export async function followRows(
  { nowMs, signal }: Pick<Work<unknown, unknown>, "nowMs" | "signal">,
  { until: known }: { readonly until?: Readonly<Record<string, number>> | undefined },
  { postgres, highWatermarks }: Pick<JobPorts, "postgres" | "highWatermarks">,
): Promise<RowsFollowed> {
  const until = known ?? (await readEnds({ postgres, highWatermarks }));
  for (let check = 0; check < CHECKS_MAX; check++) {
    if ((await behindWatermark(postgres, { offsets: until }, nowMs)) === undefined) return { until, isPassed: true };
    await sleepUntilAborted(CHECK_MS, signal);
    signal.throwIfAborted();
  }
  return { until, isPassed: false };
}

async function readEnds({ postgres, highWatermarks }: Pick<JobPorts, "postgres" | "highWatermarks">) {
  const ends = await readLogEnds(postgres, highWatermarks);
  return offsetsOfEnds(ends.filter(({ topic, next }) => topic === IMPORTS_TOPIC && next > 0));
}
