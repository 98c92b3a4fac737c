import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService([
  "contactexports",
  "contactactivityexport",
  "audiencetrendsexport",
  "accountmonitorexport",
  "messageanalyticsexport",
]);

test.each([
  "createContactexport",
  "createActivityexport",
  "createAudiencetrendsexport",
  "createLogexport",
  "createMessageexport",
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
])("%s refuses %j with 422", async (operation, body) => {
  expect((await send(operation, { body })).status).toBe(422);
});
