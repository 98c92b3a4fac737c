import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
let caller: Caller;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("erasure");
});

const RUN = Date.now().toString(36);
const ADDRESS = `zoe.forgotten.${RUN}@example.com`;
/** It was the contact's own once, and in a refused record. */
const EARLIER = `zoe.before.${RUN}@example.com`;
const CUSTOMER = `cust-of-zoe-${RUN}`;
const ORDER = `order-of-zoe-${RUN}`;
const IDEMPOTENCY_KEY = `signup-of-zoe-${RUN}`;
/** A text of its own: ClickHouse compresses what repeats itself, and then it stands nowhere as it is. */
const NOTE = randomBytes(12).toString("hex");
const PATIENCE = { timeout: 60_000, interval: 200 };
const identifiers = { email: ADDRESS, customer_id: CUSTOMER };
const contact = { identifiers, attributes: { first_name: "Zoe" }, canBeCreated: true, canBeUpdated: true };

/** Tables of both stores and files of ClickHouse in which a text stands. */
interface Found {
  readonly tables: readonly string[];
  readonly files: readonly string[];
}

/** Searches for each text in every table of both stores, whatever its column, and in every file of ClickHouse. */
async function tracesOf(...texts: readonly string[]): Promise<ReadonlyMap<string, Found>> {
  const files = await filesWith(texts);
  const found = new Map<string, Found>();
  for (const text of texts) found.set(text, { tables: await tablesWith(text), files: files.get(text) ?? [] });
  return found;
}

async function tablesWith(text: string): Promise<string[]> {
  const tables = await stack.postgres.query<{ name: string }>({
    text: `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  });
  expect(tables.length).toBeGreaterThan(30);
  const inHex = "position(encode(convert_to($1, 'UTF8'), 'hex') IN t::text) > 0";
  const checks = tables.map(
    ({ name }) => `SELECT '${name}' AS name
      WHERE EXISTS (SELECT FROM ${name} AS t WHERE position($1 IN lower(t::text)) > 0 OR ${inHex})`,
  );
  const found = await stack.postgres.query<{ name: string }>({ text: checks.join(" UNION ALL ") }, [text]);
  const theirs = await stack.clickhouse.query<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name",
  );
  expect(theirs.length).toBeGreaterThan(12);
  const counts = theirs.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count() AS n FROM ${name} WHERE positionCaseInsensitive(formatRow('JSONEachRow', *), {text: String}) > 0`,
  );
  const query = `SELECT name FROM (${counts.join(" UNION ALL ")}) WHERE n > 0 ORDER BY name`;
  const inClickHouse = await stack.clickhouse.query<{ name: string }>(query, { text });
  return [...found.map(({ name }) => name), ...inClickHouse.map(({ name }) => `clickhouse ${name}`)];
}

/** Files of our database alone, by the texts whose bytes stand in them: parts, old ones too, and texts of mutations. */
async function filesWith(texts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const folders = await stack.clickhouse.query<{ folder: string }>(
    "SELECT DISTINCT arrayJoin(data_paths) AS folder FROM system.tables WHERE database = currentDatabase()",
  );
  expect(folders.length).toBeGreaterThan(12);
  const found = new Map<string, string[]>(texts.map((text) => [text, []]));
  for (const { folder } of folders) {
    for (const entry of await entriesOf(folder)) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      // Parts are merged and dropped all the time.
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      for (const [text, paths] of found) if (bytes.includes(text)) paths.push(path);
    }
  }
  return found;
}

const LISTS_MAX = 100;

/** Lists a folder again when ClickHouse merged a part away during the listing. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  for (let lists = 1; ; lists++) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if (lists === LISTS_MAX || !(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

/** Puts the person into everything that holds persons. */
async function leaveTraces(): Promise<string> {
  const before = { identifiers: { ...identifiers, email: EARLIER }, attributes: { first_name: "Zoe" } };
  await caller.settled(await caller.send("upsertContact", { ...before, canBeCreated: true }));
  const lost = await caller.send("addContactsToList", { identifiers: [{ email: EARLIER }], listId: 999_999 });
  expect((await caller.settled(lost)).rejections).toMatchObject([{ code: "ACCOUNT_LISTS_NOT_FOUND" }]);
  const renamed = { identifiers: { customer_id: CUSTOMER }, attributes: { email: ADDRESS }, canBeUpdated: true };
  await caller.settled(await caller.send("upsertContact", renamed));
  await caller.send("upsertContact", contact, { "idempotency-key": IDEMPOTENCY_KEY });
  await caller.send("addContactsToList", { identifiers: [{ email: ADDRESS }], listName: "letters" });
  const event = { name: "browse", time: "2026-01-01T00:00:00Z", properties: { of: ADDRESS, note: NOTE } };
  await caller.send("createContactactivities", { contact: { identifiers }, contactactivities: [event] });
  const items = [{ productID: "p", sku: "s", name: "n", qty: 1 }];
  const order = { orderID: ORDER, purchaseDate: "2026-01-01", items, properties: { to: ADDRESS, note: NOTE } };
  await caller.send("upsertOrder", { contact: { identifiers }, order });
  const products = [
    { productID: "p", sku: "s", category: "c", name: "n", qty: 1, properties: { for: ADDRESS, note: NOTE } },
  ];
  await caller.send("addProductsToCart", { contact: { identifiers }, products });
  const refused = await caller.send("addContactsToList", { identifiers: [{ email: ADDRESS }], listId: 999_999 });
  expect((await caller.settled(refused)).rejections).toMatchObject([{ code: "ACCOUNT_LISTS_NOT_FOUND" }]);
  const last = await caller.send("upsertContact", {
    identifiers: { customer_id: CUSTOMER },
    attributes: { n: 1 },
    canBeUpdated: true,
  });
  await caller.settled(last);
  return last;
}

async function jobDone(jobId: string) {
  await vi.waitFor(async () => expect((await caller.get(`/v2/jobs/${jobId}`)).body.status).toBe("Done"), PATIENCE);
  return (await caller.get(`/v2/jobs/${jobId}`)).body;
}

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

/** Returns how far `state` has read. */
function positions(): Promise<Position[]> {
  return stack.postgres.query<{ topic: string; partition: number; nextOffset: number }>({
    text: `SELECT topic, partition, next_offset AS "nextOffset" FROM stream_offsets WHERE grp = 'state' ORDER BY topic, partition`,
  });
}

/** The positions before the first record of the person; where nothing was read yet, the beginning. */
async function begun(): Promise<Position[]> {
  await vi.waitFor(async () => expect((await positions()).length).toBeGreaterThanOrEqual(8), PATIENCE);
  return positions();
}

/** The log is read once more from where it was, as after a restore of an older Postgres that an operator has put right. */
async function replay(from: readonly Position[]): Promise<void> {
  const before = await positions();
  expect(before).not.toEqual(from);
  await stack.whileStateIsForgotten(async () => {
    for (const { topic, partition, nextOffset } of from) {
      const text = `UPDATE stream_offsets SET next_offset = $3, window_from = LEAST(window_from, $3), last_record_id = NULL, greatest_time = 0,
        last_print = NULL, last_epoch = NULL WHERE grp = 'state' AND topic = $1 AND partition = $2`;
      await stack.postgres.execute({ text }, [topic, partition, nextOffset]);
    }
  });
  await vi.waitFor(async () => expect(await positions()).toEqual(before), PATIENCE);
}

test("an erased contact is gone at once, leaves no trace in either store, and stays gone when the log is read again", async () => {
  const start = await begun();
  const last = await leaveTraces();
  expect(await caller.count({ field: "attributes.first_name", op: "eq", value: "Zoe" }, last)).toBe(1);
  const profile = (await caller.post(`/v2/contacts/email:${ADDRESS}/downloadprofile`, {})).body;
  await jobDone(profile.jobId);
  for (const [text, files] of await filesWith([ADDRESS, ORDER, NOTE])) expect([text, files]).not.toEqual([text, []]);
  const stored = await tablesWith(ADDRESS);
  expect(stored).toEqual(
    expect.arrayContaining(["public.contacts", "public.rejects", "public.orders", "clickhouse activities"]),
  );

  const erased = await caller.delete(`/v2/contacts/email:${ADDRESS}`);
  expect(erased).toMatchObject({ status: 200, body: { success: true } });
  for (const key of [`email:${ADDRESS}`, `customer_id:${CUSTOMER}`]) {
    expect((await caller.get(`/v2/contacts/${key}`)).status).toBe(404);
  }
  expect((await caller.get(`/v2/orders/${ORDER}`)).status).toBe(404);
  const done = await jobDone(erased.body.jobId);
  expect(done).toMatchObject({ jobName: "DeleteContact", result: { updated: 1 }, metadata: { recordsScrubbed: 2 } });
  const texts = [ADDRESS, CUSTOMER, EARLIER, ORDER, NOTE, IDEMPOTENCY_KEY];
  const nothing = { tables: [], files: [] };
  for (const [text, found] of await tracesOf(...texts)) expect({ text, ...found }).toEqual({ text, ...nothing });

  await replay(start);
  for (const address of [ADDRESS, EARLIER]) {
    expect((await caller.get(`/v2/contacts/email:${address}`)).status).toBe(404);
    expect(await tablesWith(address)).toEqual([]);
  }

  const again = await caller.send("upsertContact", contact);
  expect(await caller.settled(again)).toMatchObject({ state: "applied", records: { applied: 1 } });
  const { body: anew } = await caller.read(`/v2/contacts/email:${ADDRESS}`, again);
  expect(anew).toMatchObject({ attributes: { first_name: "Zoe" }, lists: [] });
  expect(anew.attributes).not.toHaveProperty("n");
});
