import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { sleepUntilAborted } from "@headwater/kernel";
import {
  followStoredWatermark,
  type StreamWatermark,
  takeStreamWatermark,
} from "@headwater/postgres/outbox/streamWatermarks";

/** ClickHouse is mostly a little behind Postgres: it is checked again for so long before the worker is freed. */
const PATIENCE_MS = 1_500;
const CHECK_AGAIN_MS = 50;

/**
 * Follows everything that was stored by now on its way to ClickHouse, so that an audience lacks nobody who was written before its snapshot.
 * @param begun marks to go on from; undefined at the beginning. @returns the marks to go on with, or `passed` when all is there.
 */
export async function followStored(
  begun: StreamWatermark | undefined,
  signal: AbortSignal,
  { postgres, clock }: Pick<JobPorts, "clock" | "postgres">,
): Promise<StreamWatermark | "passed"> {
  const until = clock.monotonicMs() + PATIENCE_MS;
  let marks = begun ?? (await postgres.transaction(takeStreamWatermark));
  for (;;) {
    const check = await followStoredWatermark(postgres, marks);
    if (check === "passed" || clock.monotonicMs() >= until) return check;
    marks = check;
    await sleepUntilAborted(CHECK_AGAIN_MS, signal);
  }
}
