import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { sleepUntilAborted } from "@headwater/kernel";
import type { StreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import type { Exporting } from "./exporting.ts";
import type { ExportProgress } from "./progress.ts";
import { behindWatermark, lookAtSinks, type WaitsFor } from "./waiting.ts";

export type Look =
  | { readonly kind: "passed" }
  | { readonly kind: "waits"; readonly waitsFor: WaitsFor; readonly marks?: StreamWatermark };

/** Groups are mostly a moment behind: so long it is looked again before the worker is given free. */
const PATIENCE_MS = 1_500;
const LOOK_AGAIN_MS = 50;

/** Looks whether the watermark is passed, by `state` first and then by those that write ClickHouse. */
export async function lookUntilPassed(
  work: Exporting,
  at: ExportProgress | undefined,
  { postgres, clock }: Pick<JobPorts, "postgres" | "clock">,
): Promise<Look> {
  const until = clock.monotonicMs() + PATIENCE_MS;
  let marks = at?.phase === "sinks" ? at.marks : undefined;
  for (;;) {
    const nowMs = clock.nowMs();
    const look = await lookOnce();
    if (look.kind === "passed" || clock.monotonicMs() >= until) return look;
    marks = look.marks;
    await sleepUntilAborted(LOOK_AGAIN_MS, work.signal);

    async function lookOnce(): Promise<Look> {
      if (at?.phase === "sinks" && marks !== undefined)
        return lookAtSinks(postgres, marks, { nowMs, sinceMs: at.since });
      const waitsFor = await behindWatermark(postgres, work.options.watermark, nowMs);
      return waitsFor === undefined ? { kind: "passed" } : { kind: "waits", waitsFor };
    }
  }
}
