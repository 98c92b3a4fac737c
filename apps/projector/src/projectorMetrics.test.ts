import { createMetrics, HeadwaterError } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createProjectorMetrics } from "./projectorMetrics.ts";

test("batches and retries of a group are measured", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const observer = createProjectorMetrics(metrics, () => []).observerOf("state");
  observer.batch?.({ topic: "intake.records", durationMs: 40, frames: 3, bytes: 900 });
  observer.retry?.(new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away" }));
  observer.retry?.(new Error("connect ECONNREFUSED"));
  const text = await metrics.render();
  expect(text).toContain('headwater_batch_seconds_bucket{le="0.05",group="state"} 1');
  expect(text).toContain('headwater_batch_frames_total{group="state"} 3');
  expect(text).toContain('headwater_retries_total{group="state",code="SERVICE_UNAVAILABLE"} 1');
  expect(text).toContain('headwater_retries_total{group="state",code="OTHER"} 1');
});
