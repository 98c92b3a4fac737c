import { randomBytes } from "node:crypto";
import { type Environment, injectTraceparent, startTracing, tracer } from "@headwater/kernel";

/** The trace of one command: its id goes with every request, so that the services' spans hang together under it. */
export interface Trace {
  readonly id: string;
  readonly traceparent: string;
  /** Ends the command's own span and hands it to the collector, where there is one. */
  end(): Promise<void>;
}

const EVERY_COMMAND = "1";

/**
 * Starts the command's trace. With OTEL_EXPORTER_OTLP_ENDPOINT the command has a span of its own, which is exported; without it there is
 * an id, which the services' spans carry.
 */
export function startTrace(name: string, env: Environment): Trace {
  const sampled = { ...env, OTEL_TRACES_SAMPLER_ARG: EVERY_COMMAND };
  const tracing = startTracing({
    serviceName: "headwater-cli",
    env: sampled,
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "",
  });
  const span = tracer().startSpan(name);
  const traceparent = injectTraceparent(span) ?? madeUp();
  return {
    id: traceparent.split("-")[1] ?? "",
    traceparent,
    async end() {
      span.end();
      await tracing.stop();
    },
  };
}

/** W3C Trace Context, version 00, sampled. */
function madeUp(): string {
  return `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
}
