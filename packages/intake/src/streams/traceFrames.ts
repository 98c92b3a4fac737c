import { extractTraceparent, tracer } from "@headwater/kernel";
import type { LogFrame } from "@headwater/topics";

/** Spans for the frames of sampled requests: each goes on in the trace of the request that wrote it. */
export function traceFrames(
  name: string,
  frames: readonly Pick<LogFrame, "offset" | "headers">[],
  { startedAtMs, below }: { readonly startedAtMs: number; readonly below: number },
): void {
  for (const { offset, headers } of frames) {
    if (headers.traceparent === undefined || offset >= below) continue;
    tracer().startSpan(name, { startTime: startedAtMs }, extractTraceparent(headers.traceparent)).end();
  }
}
