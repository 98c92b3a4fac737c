import { createRequire } from "node:module";
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Environment } from "./config.ts";
import { withoutTrailing } from "./text.ts";

export type { Context, Span, Tracer };

const require = createRequire(import.meta.url);

export interface TracingOptions {
  readonly serviceName: string;
  /** Base address of an OTLP/HTTP collector; default OTEL_EXPORTER_OTLP_ENDPOINT. Without either nothing is traced. */
  readonly endpoint?: string;
  /** Default process.env. */
  readonly env?: Environment;
}

export interface Tracing {
  readonly enabled: boolean;
  /** Sends what is left and ends the exporter. */
  stop(): Promise<void>;
}

/** One request in a hundred, unless OTEL_TRACES_SAMPLER_ARG (0 to 1) says otherwise; a sampled parent is followed. */
const DEFAULT_SAMPLING_RATIO = 0.01;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
/** Longer headers are not read: the format of version 00 has 55 characters. */
const TRACEPARENT_CHARS_MAX = 512;

/**
 * Starts the export of spans for this process. Parents are handed on explicitly (`tracer().startSpan(name, {}, parent)`):
 * there is no ambient context, because following one costs every await of the hot path.
 * @throws RangeError when the sampling ratio is not a number from 0 to 1.
 */
export function startTracing(options: TracingOptions): Tracing {
  const env = options.env ?? process.env;
  const endpoint = options.endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "";
  if (endpoint === "") {
    return { enabled: false, stop: async () => undefined };
  }
  const provider = createProvider(options.serviceName, endpoint, samplingRatio(env));
  trace.setGlobalTracerProvider(provider);
  return {
    enabled: true,
    async stop() {
      trace.disable();
      await provider.shutdown();
    },
  };
}

/** Loads what exports spans here: its 200 modules are a tenth of what a process loads, and most processes export none. */
function createProvider(serviceName: string, endpoint: string, ratio: number) {
  const otlp: typeof import("@opentelemetry/exporter-trace-otlp-http") = require("@opentelemetry/exporter-trace-otlp-http");
  const resources: typeof import("@opentelemetry/resources") = require("@opentelemetry/resources");
  const sdk: typeof import("@opentelemetry/sdk-trace") = require("@opentelemetry/sdk-trace");
  const exporter = new otlp.OTLPTraceExporter({ url: `${withoutTrailing(endpoint, "/")}/v1/traces` });
  return new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ "service.name": serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
}

/** The process's tracer; before `startTracing`, or without an endpoint, its spans do nothing and cost next to nothing. */
export function tracer(): Tracer {
  return trace.getTracer("headwater");
}

/**
 * The `traceparent` header (W3C Trace Context, version 00) of a sampled span; undefined when it is not sampled. Parents are passed on
 * explicitly, for an ambient context costs every await; and one header of 55 characters needs no propagation API.
 */
export function injectTraceparent(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return sampled ? `00-${traceId}-${spanId}-01` : undefined;
}

/** The context to start a span in, from a `traceparent` header; one that is absent or malformed gives a new root. */
export function extractTraceparent(header: string | undefined): Context {
  if (header === undefined || header.length > TRACEPARENT_CHARS_MAX) {
    return ROOT_CONTEXT;
  }
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) {
    return ROOT_CONTEXT;
  }
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

function samplingRatio(env: Environment): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG ?? "";
  const ratio = text === "" ? DEFAULT_SAMPLING_RATIO : Number(text);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new RangeError("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
  }
  return ratio;
}
