import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Caller, type Stack, startStack } from "../stack.ts";

let stack: Stack;
let caller: Caller;
beforeAll(async () => {
  stack = await startStack({ HEADWATER_SINK_SETTLE_SECONDS: "1" });
  caller = await stack.caller("erasure");
});
afterAll(() => stack.stop());

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

/** Every table of both stores in which the text stands, whatever its column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await stack.postgres.query<{ name: string }>({
    text: `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  });
  expect(tables.length).toBeGreaterThan(30);
  const found: string[] = [];
  for (const { name } of tables) {
    const inHex = "position(encode(convert_to($1, 'UTF8'), 'hex') IN t::text) > 0";
    const query = {
      text: `SELECT count(*) AS n FROM ${name} AS t WHERE position($1 IN lower(t::text)) > 0 OR ${inHex}`,
    };
    const [row] = await stack.postgres.query<{ n: number }>(query, [text]);
    if (row?.n !== 0) found.push(name);
  }
  const theirs = await stack.clickhouse.query<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name",
  );
  expect(theirs.length).toBeGreaterThan(12);
  for (const { name } of theirs) {
    const query = `SELECT count() AS n FROM ${name} WHERE positionCaseInsensitive(formatRow('JSONEachRow', *), {text: String}) > 0`;
    const [row] = await stack.clickhouse.query<{ n: number }>(query, { text });
    if (row?.n !== 0) found.push(`clickhouse ${name}`);
  }
  return found;
}

/** Files of ClickHouse in which the bytes stand, of our database alone: parts, old ones too, and texts of mutations. */
async function filesWith(text: string): Promise<string[]> {
  const folders = await stack.clickhouse.query<{ folder: string }>(
    "SELECT DISTINCT arrayJoin(data_paths) AS folder FROM system.tables WHERE database = currentDatabase()",
  );
  expect(folders.length).toBeGreaterThan(12);
  const found: string[] = [];
  for (const { folder } of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      // Parts are merged and dropped all the time.
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      if (bytes.includes(text)) found.push(path);
    }
  }
  return found;
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

interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
}

/** Returns how far `state` has read. */
function places(): Promise<Place[]> {
  return stack.postgres.query<{ topic: string; partition: number; nextOffset: number }>({
    text: `SELECT topic, partition, next_offset AS "nextOffset" FROM stream_offsets WHERE grp = 'state' ORDER BY topic, partition`,
  });
}

/** The places before the first record of the person; where nothing was read yet, the beginning. */
async function begun(): Promise<Place[]> {
  await vi.waitFor(async () => expect((await places()).length).toBeGreaterThanOrEqual(8), PATIENCE);
  return places();
}

/** The log is read once more from where it was, as after a restore of an older Postgres that an operator has put right. */
async function replay(from: readonly Place[]): Promise<void> {
  const before = await places();
  expect(before).not.toEqual(from);
  await stack.whileStateIsForgotten(async () => {
    for (const { topic, partition, nextOffset } of from) {
      const text = `UPDATE stream_offsets SET next_offset = $3, window_from = LEAST(window_from, $3), last_record_id = NULL, greatest_time = 0,
        last_print = NULL, last_epoch = NULL WHERE grp = 'state' AND topic = $1 AND partition = $2`;
      await stack.postgres.execute({ text }, [topic, partition, nextOffset]);
    }
  });
  await vi.waitFor(async () => expect(await places()).toEqual(before), PATIENCE);
}

test("an erased contact is gone at once, leaves no trace in either store, and stays gone when the log is read again", async () => {
  const start = await begun();
  const last = await leaveTraces();
  expect(await caller.count({ field: "attributes.first_name", op: "eq", value: "Zoe" }, last)).toBe(1);
  const profile = (await caller.post(`/v2/contacts/email:${ADDRESS}/downloadprofile`, {})).body;
  await jobDone(profile.jobId);
  for (const text of [ADDRESS, ORDER, NOTE]) expect([text, await filesWith(text)]).not.toEqual([text, []]);
  const kept = await tablesWith(ADDRESS);
  expect(kept).toEqual(
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
  for (const text of [ADDRESS, CUSTOMER, EARLIER, ORDER, NOTE, IDEMPOTENCY_KEY]) {
    expect([text, await tablesWith(text), await filesWith(text)]).toEqual([text, [], []]);
  }

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
