import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "./running.ts";

let service: Running;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.key((await service.account()).account, { scopes: ["read", "write"] });
});

afterAll(() => service.stop());

const call = (method: NonNullable<CallOptions["method"]>, path: string, body?: unknown) =>
  service.call(key, `/v2/${path}`, { method, ...(body !== undefined && { body }) });
const save = (name: string, criteria: object) => call("POST", "audiences", { key: name, name, criteria });

test("a saved audience keeps the list whose id a text spelled when another list takes that name", async () => {
  const list = (await call("POST", "accountlists", { name: "spelled" })).body.id;
  await save("by-text", { and: [{ list: String(list), op: "in" }] });
  await call("POST", "accountlists", { name: String(list) });
  const { criteria, problems } = (await call("GET", "audiences/by-text")).body;
  expect([criteria, problems]).toEqual([{ and: [{ list: "spelled", op: "in" }] }, undefined]);
});
