import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService([
  "contactexports",
  "contactactivityexport",
  "audiencetrendsexport",
  "accountmonitorexport",
  "messageanalyticsexport",
  "ordersexport",
]);

test.each([
  "createContactexport",
  "createActivityexport",
  "createAudiencetrendsexport",
  "createLogexport",
  "createMessageexport",
  "createOrdersexport",
])("%s answers 202 with a job that can be looked at", async (operation) => {
  const started = await send(operation);
  expect(started.status).toBe(202);
  expect((await send("getJob", { params: { id: String(started.body.jobId) } })).status).toBe(200);
});

test.each([
  ["createContactexport", { fields: ["no such field"], exportType: "csv" }],
  ["createActivityexport", { timeframe: { start: "2026-02-01", end: "2026-01-01" }, exportType: "jsonl" }],
  ["createAudiencetrendsexport", { criteria: {}, timeframe: { start: "2026-01-01", end: "2026-02-01" } }],
  ["createLogexport", { timeframe: { start: "soon", end: "2026-02-01" } }],
  ["createMessageexport", { type: "none" }],
  ["createOrdersexport", { columnHeaders: [{ name: "deleted" }] }],
])("%s refuses %j with 422", async (operation, body) => {
  expect((await send(operation, { body })).status).toBe(422);
});

test("a trend of all saved audiences may be one of none", async () => {
  const started = await send("createAudiencetrendsexport", { body: {} });
  expect(started.status).toBe(202);
});

test("a trend names up to 20 saved audiences, and criteria beside them", async () => {
  const audiences = Array.from({ length: 20 }, (_, index) => `audience-${index}`);
  for (const key of audiences)
    await send("createAudience", { body: { key, name: key, criteria: { field: "cID", op: "exists" } } });
  const criteria = { field: "cID", op: "exists" };
  expect((await send("createAudiencetrendsexport", { body: { audiences, criteria } })).status).toBe(202);
  const tooMany = await send("createAudiencetrendsexport", { body: { audiences: [...audiences, "one-more"] } });
  expect(tooMany.body.details).toMatchObject([{ path: "/audiences", code: "too_many" }]);
});

test("a timeframe that ends before it starts is refused at the member that says its end", async () => {
  const body = { selected_timeframe_start: "2026-02-01", selected_timeframe_end: "2026-01-01" };
  expect((await send("createLogexport", { body })).body.details).toMatchObject([
    { path: "/selected_timeframe_end", code: "out_of_range" },
  ]);
});
