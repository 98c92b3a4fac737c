import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type CompileOptions, compileCriteria, knownFields, parseCriteria } from "@headwater/audience";
import type { ClickHouse } from "@headwater/stores";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Fresh, freshClickHouse } from "./storesFresh.ts";

const ACCOUNT = 7;
const address = z.object({ port: z.number() });

let fresh: Fresh<ClickHouse>;
let server: Server;
let url = "";
/** Revision of the last alias that was written. */
let revision = 0;

/** Who reads from the server has a merge come in just then: its alias is written before the answer goes out. */
beforeAll(async () => {
  fresh = await freshClickHouse();
  server = createServer((request, response) => {
    const written = request.method === "GET" ? mergeOne() : Promise.resolve();
    written.then(
      () => response.end("0\n"),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${address.parse(server.address()).port}/`;
});
afterAll(async () => {
  server.close();
  await fresh.drop();
});

async function mergeOne(): Promise<void> {
  revision += 1;
  const columns = ["account", "contact", "survivor", "revision"];
  const body = JSON.stringify([ACCOUNT, 100 + revision, 1, revision]);
  await fresh.store.insertBlock({ table: "contact_aliases", columns, body, token: randomUUID() });
}

const rule = {
  or: [
    { field: "attributes.city", op: "eq", value: "Rome" },
    { list: 1, op: "in" },
    { event: "open", count: { op: "gt", value: 1 } },
    { not: { order: true, sum: { of: "totalAmount", op: "gt", value: 5 } } },
  ],
};
const options: Omit<CompileOptions, "hasMerges"> = {
  account: ACCOUNT,
  now: Date.UTC(2026, 10, 22),
  basis: "recorded",
  timezone: "UTC",
  currency: "USD",
  explain: true,
  sampleSize: 3,
  page: { direction: "asc", skip: 0, rowsMax: 3, until: 1_000 },
  eligibleFor: { channel: "email", classification: "promotional" },
};

test.each([false, true])(
  "the mark of merges tells of a merge that came while any set of the query was read (merges before: %s)",
  async (hasMerges) => {
    const fields = knownFields({ attributes: [["city", "auto"]], identifiers: [] });
    const parsed = parseCriteria(rule, { fields, lists: [{ id: 1, name: "vip" }] });
    if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
    const { sql, params, settings } = compileCriteria(parsed.criteria, { ...options, hasMerges });
    const sets = [...sql.matchAll(SET)].map(([set]) => set);
    expect(sets.length).toBeGreaterThan(5);
    for (const set of sets) {
      const before = revision;
      const merging = sql.replace(set, () => mergingMeanwhile(set));
      const [row] = await fresh.store.query<{ mergeMark: string }>(merging, params, { settings });
      expect(revision, set).toBeGreaterThan(before);
      expect(row?.mergeMark, set).toBe(String(revision));
    }
  },
);

/** A set of the query with its name, on a line of its own. */
const SET = /^ {2}\(SELECT .*\) AS s\d+(?=,?$)/gm;

/** The same set, while which is read a merge comes in. */
function mergingMeanwhile(set: string): string {
  const [, sql = "", name = ""] = /^ {2}(\(.*\)) AS (s\d+)$/.exec(set) ?? [];
  return `  (SELECT * FROM ${sql} WHERE (SELECT n FROM url('${url}', 'CSV', 'n UInt64')) = 0) AS ${name}`;
}
