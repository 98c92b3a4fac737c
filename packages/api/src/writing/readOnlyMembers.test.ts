import { createAccount } from "@headwater/accounts/accounts/accounts";
import { defineRoute, type Route } from "@headwater/http";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runOnce } from "../idempotency/runOnce.ts";
import { account, serveRoutes } from "../testRoutes.ts";
import { withStoredRecords } from "./readOnlyMembers.ts";
import { defineWriteRoute } from "./writeRoute.ts";

const record = { name: "lamp", ct: "2026-01-09T22:47:12.000Z", rows: [{ size: 1, amount: 2 }] };
const shape = z.object({
  name: z.string(),
  ct: z.string(),
  rows: z.array(z.object({ size: z.number(), amount: z.number() })),
});
const body = z.object({ name: z.string().optional(), rows: z.array(z.object({ size: z.number() })).optional() });
const written = z.object({ success: z.literal(true) });

let reads = 0;
let memory: MemoryPostgres;

function readRoute(path: string): Route {
  const handler = () => {
    reads += 1;
    return { status: 200, body: record };
  };
  const described = {
    method: "GET",
    summary: "Reads.",
    answers: { 200: { description: "It.", schema: shape } },
  } as const;
  return defineRoute({
    ...{
      ...described,
      path,
      operationId: `get${path}`,
      auth: "basic",
      scope: "lists:read",
      rateClass: "read",
      handler,
    },
  });
}

function writeRoute(path: string, returnsStored: boolean): Route {
  return defineWriteRoute({
    method: "PUT",
    path,
    operationId: `put${path}`,
    summary: "Writes.",
    answers: { 200: { description: "Written.", schema: written } },
    scope: "lists:write",
    dryRun: "rolledBack",
    body,
    returnsStored,
    handler: ({ once }) =>
      runOnce(memory.postgres, once, async () => {
        const existing = { success: true };
        return { kept: existing, answer: { status: 200, body: existing }, ...(returnsStored && { stored: record }) };
      }),
  });
}

beforeAll(async () => {
  memory = await startMemoryPostgres();
  await createAccount(memory.postgres, { id: account.id, name: account.name, settings: account.settings });
});
afterAll(() => memory.stop());
beforeEach(() => {
  reads = 0;
});

const read = "/v2/read";
const returned = "/v2/returned";
const call = serveRoutes(
  () =>
    withStoredRecords(
      [readRoute(read), writeRoute(read, false), readRoute(returned), writeRoute(returned, true)],
      memory,
    ),
  { writer: { kind: "key", id: "k1", name: "writer", account, scopes: ["lists:write"] } },
);

const changed = { ct: "2020-01-01T00:00:00.000Z" };
const warned = [{ path: "/ct", code: "read_only", message: expect.stringContaining("not the stored one") }];

test("a record is read to compare read-only members, and not for a repeat, which gets the same warnings", async () => {
  const sent = { body: changed, headers: { "idempotency-key": "one" } };
  const first = await call("PUT", read, sent);
  expect([first.body.warnings, reads]).toEqual([warned, 1]);
  expect([await call("PUT", read, sent), reads]).toEqual([first, 1]);
});

test("a body without read-only members, and a handler that has the record, cause no read", async () => {
  expect([(await call("PUT", read, { body: { name: "lamp" } })).body.warnings, reads]).toEqual([undefined, 0]);
  const sent = { body: changed, headers: { "idempotency-key": "two" } };
  const first = await call("PUT", returned, sent);
  expect([first.body.warnings, reads]).toEqual([warned, 0]);
  expect([await call("PUT", returned, sent), reads]).toEqual([first, 0]);
  expect((await call("PUT", returned, { body: { ct: record.ct } })).body.warnings).toBeUndefined();
});

test.each([read, returned])("a key that may not read learns nothing of the stored values: %s", async (path) => {
  for (const ct of [changed.ct, record.ct]) {
    const { body } = await call("PUT", path, { body: { ct }, key: "writer" });
    expect(body.warnings).toEqual([{ path: "/ct", code: "read_only", message: '"ct" is read-only and was ignored.' }]);
  }
  expect(reads).toBe(0);
});

const named = z.object({ warnings: z.array(z.object({ path: z.string(), message: z.string() })) });

test("a member of a line is compared with those of all stored lines, and counted past the first hundred", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ size: 1, amount: at < 4_900 ? 2 : 3 }));
  const first = named.parse((await call("PUT", read, { body: { rows } })).body).warnings;
  expect([first.length, first[0]?.path, first[99]?.path]).toEqual([100, "/rows/4900/amount", "/rows/4999/amount"]);
  expect(first[99]?.message).toMatch(/was ignored\.$/);
  const more = [...rows, { size: 1, amount: 4 }, { size: 1, amount: 5 }];
  const { warnings } = named.parse((await call("PUT", read, { body: { rows: more } })).body);
  expect(warnings).toHaveLength(100);
  expect(warnings[99]?.message).toMatch(/was ignored\. So were 2 more read-only members\.$/);
});
