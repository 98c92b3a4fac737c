import { expect } from "vitest";
import { test } from "./sharedStack.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

test("a sampled request is followed through the log into both stores; one that is not leaves no trace", async ({
  stack,
  collector,
}) => {
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
