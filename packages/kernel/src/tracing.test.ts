import { createServer } from "node:http";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { extractTraceparent, injectTraceparent, startTracing, tracer } from "./tracing.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";

/** A collector that keeps the text of what it is sent. */
async function startCollector() {
  const received: { url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(Buffer.from(chunk));
    }
    received.push({ url: request.url ?? "", body: Buffer.concat(chunks).toString() });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { received, endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

test("nothing is traced without an endpoint, and spans do nothing", async () => {
  const tracing = startTracing({ serviceName: "ingress", env: {} });
  const span = tracer().startSpan("request");
  expect(tracing.enabled).toBe(false);
  expect(span.isRecording()).toBe(false);
  expect(injectTraceparent(span)).toBeUndefined();
  await tracing.stop();
});

test("sampled spans reach the collector with the service's name, and their trace goes on in a traceparent", async () => {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`, OTEL_TRACES_SAMPLER_ARG: "1" };
  const tracing = startTracing({ serviceName: "ingress-under-test", env });
  const span = tracer().startSpan("accept", {}, extractTraceparent(`00-${TRACE_ID}-${SPAN_ID}-01`));
  expect(injectTraceparent(span)).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
  span.end();
  await tracing.stop();
  collector.stop();
  expect(collector.received.map((request) => request.url)).toEqual(["/v1/traces"]);
  const body = collector.received.map((request) => request.body).join("");
  expect([body.includes("ingress-under-test"), body.includes(TRACE_ID), body.includes("accept")]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a ratio of 0 samples no new trace and follows a sampled parent", async () => {
  const env = { OTEL_TRACES_SAMPLER_ARG: "0" };
  const tracing = startTracing({ serviceName: "ingress", endpoint: "http://127.0.0.1:9", env });
  expect(injectTraceparent(tracer().startSpan("new"))).toBeUndefined();
  const followed = tracer().startSpan("followed", {}, extractTraceparent(`00-${TRACE_ID}-${SPAN_ID}-01`));
  expect(injectTraceparent(followed)).toContain(TRACE_ID);
  await tracing.stop();
});

test.each(["2", "-1", "half"])("a sampling ratio of %s is refused", (ratio) => {
  const start = () => startTracing({ serviceName: "x", endpoint: "http://x", env: { OTEL_TRACES_SAMPLER_ARG: ratio } });
  expect(start).toThrow(/from 0 to 1/);
});

test.each([
  undefined,
  "",
  "nonsense",
  `00-${"0".repeat(32)}-${SPAN_ID}-01`,
  `00-${TRACE_ID}-${"0".repeat(16)}-01`,
  `00-${TRACE_ID}-${SPAN_ID}-01-${"x".repeat(1_000)}`,
])("the traceparent %s gives a new root", (header) => {
  expect(trace.getSpanContext(extractTraceparent(header))).toBeUndefined();
});

test("a good traceparent gives the remote parent", () => {
  const parent = trace.getSpanContext(extractTraceparent(`00-${TRACE_ID}-${SPAN_ID}-01`));
  expect(parent).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1, isRemote: true });
});
