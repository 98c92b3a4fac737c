import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SENT_EVERY_MS = "200";

/** A collector that keeps the spans it is sent, by trace. */
async function startCollector() {
  const spans: { readonly traceId: string; readonly name: string; readonly service: string }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === "service.name").value.stringValue;
      for (const { spans: ofScope } of scopeSpans) {
        for (const { traceId, name } of ofScope) spans.push({ traceId, name, service });
      }
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { spans, endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let stack: Stack;

beforeAll(async () => {
  collector = await startCollector();
  stack = await startStack({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: "0",
    OTEL_BSP_SCHEDULE_DELAY: SENT_EVERY_MS,
  });
});
afterAll(async () => {
  await stack.stop();
  collector.stop();
});

test("a sampled request is followed through the log into both stores; one that is not leaves no trace", async () => {
  const caller = await stack.caller("traces");
  const body = {
    contact: { identifiers: { email: "traced@example.com" }, attributes: { a: 1 }, canBeCreated: true },
    contactactivities: [{ name: "visit", time: "2026-01-09T22:47:12Z" }],
  };
  await caller.settled(await caller.send("createContactactivities", body));
  const traced = await caller.send("createContactactivities", body, {
    traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
  });
  expect(await caller.settled(traced)).toMatchObject({ state: "applied" });
  const seen = () => collector.spans.map(({ service, name }) => `${service}: ${name}`).sort();
  await expect
    .poll(seen, { timeout: 20_000 })
    .toEqual([
      "headwater-ingress: POST /api/createContactactivities",
      "headwater-projector: activities",
      "headwater-projector: state",
    ]);
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
});
