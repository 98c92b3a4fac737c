import type { JsonPatch } from "@headwater/contracts";
import { pageDeadLetters, readDeadLetter } from "@headwater/intake/deadLetters/deadLetters";
import { cancelRedrive, createRedrive, readRedrive } from "@headwater/intake/deadLetters/redrives";
import { countRejections, readReceiptCounts } from "@headwater/intake/receipts/receipts";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AT, type MemoryStream, type Publish, startMemoryStream } from "./memoryStream.ts";

/*
 * A redrive, from the dead letters it selects to what becomes of the records it writes, with the process killed between any two of
 * its lines.
 */

let stream: MemoryStream;
let redrives = 0;
beforeEach(async () => {
  stream = await startMemoryStream();
});
afterEach(() => stream.drop());

const LEASE_MS = 30_000;
const item = { productID: "p", sku: "s", name: "n", qty: 1, itemPrice: "2.50" };
const order = (id: string, email: string, more: object = {}) => ({
  id,
  receivedAt: AT,
  contact: { identifiers: { email } },
  order: { orderID: `o-${id}`, purchaseDate: "2026-01-01T00:00:00Z", items: [item], ...more },
});
const create: JsonPatch = [
  { op: "add", path: "/contact/attributes", value: { vip: true } },
  { op: "add", path: "/contact/canBeCreated", value: true },
];

/** Records that are rejected at once: the list they name does not exist. */
const toNoList = (id: string, email: string) => ({
  id,
  receivedAt: AT,
  contact: { identifiers: { email } },
  listId: 99,
});

async function redrive(selection: object, patch?: JsonPatch): Promise<string> {
  redrives += 1;
  const id = String(redrives).padStart(24, "0");
  const { postgres, account, clock } = stream;
  await createRedrive(postgres, {
    id,
    account: account.number,
    selection,
    patch: patch === undefined ? null : JSON.stringify(patch),
    scopes: [],
    madeBy: "key",
    createdAt: clock.nowMs(),
    selected: 0,
  });
  return id;
}

const deadLetter = (recordId: string) => readDeadLetter(stream.postgres, { account: stream.account.number, recordId });
const job = (id: string) => readRedrive(stream.postgres, stream.account.number, id);
const outcomesOf = async (requestId: string) =>
  Object.fromEntries(
    (await countRejections(stream.postgres, stream.account.number, requestId)).map((row) => [row.status, row.count]),
  );
const skipsOf = async (requestId: string) =>
  (await readReceiptCounts(stream.postgres, stream.account.number, requestId)).skips;
const orders = () => stream.postgres.query({ text: "SELECT order_id AS id FROM orders ORDER BY order_id" });
const idsInLog = () =>
  [...stream.log.values()].flatMap((frames) =>
    frames.flatMap(({ value }) => {
      const parsed: { value: { records: { id: string; redriveOf?: string }[] } } = JSON.parse(value.toString("utf8"));
      return parsed.value.records;
    }),
  );

/** Orders of contacts that never come, tried once more and then refused. */
async function refusedOrders(ids: readonly string[], emailOf: (id: string) => string = (id) => `${id}@x.org`) {
  for (const id of ids) stream.append("upsertOrder", [order(`${id}:0:0`, emailOf(id))]);
  await stream.apply();
  for (const id of ids) stream.append("upsertOrder", [{ ...order(`${id}:0:0`, emailOf(id)), redriveOf: `${id}:0:0` }]);
  await stream.apply();
  for (const id of ids) expect((await deadLetter(`${id}:0:0`))?.status).toBe("open");
}

test("a patched record is applied under the version of its original, its old row stays rejected, and asking again writes nothing", async () => {
  await refusedOrders(["r1"]);
  const before = await deadLetter("r1:0:0");
  const id = await redrive({ ids: ["r1:0:0"] }, create);
  await stream.redriveAll();
  await stream.apply();
  expect(await orders()).toEqual([{ id: "o-r1:0:0" }]);
  const [stored] = await stream.postgres.query<{ version: string }>({ text: "SELECT version FROM orders" });
  expect(stored?.version).toBe(before?.version);
  expect(await deadLetter("r1:0:0")).toMatchObject({
    status: "redriven",
    redrive: id,
    history: [{ what: "parked" }, { what: "open" }, { what: "redriven", by: "key" }, { what: "applied", by: id }],
  });
  expect([await outcomesOf("r1"), await outcomesOf(id)]).toEqual([{ redriven: 1 }, {}]);
  expect(await job(id)).toMatchObject({ taken: 1, published: 1, refused: 0, parts: [{ count: 1 }] });
  expect((await job(id))?.writtenAt).not.toBeNull();
  const length = idsInLog().length;
  await redrive({ ids: ["r1:0:0"] }, create);
  await stream.redriveAll();
  expect(idsInLog()).toHaveLength(length);
});

test("a redrive never overwrites what was written later", async () => {
  await refusedOrders(["r1"]);
  const later = order("r2:0:0", "r1@x.org", { orderID: "o-r1:0:0", status: "paid" });
  const contact = { ...later.contact, attributes: { vip: false }, canBeCreated: true };
  stream.append("upsertOrder", [{ ...later, contact }]);
  await stream.apply();
  await redrive({ ids: ["r1:0:0"] }, [...create, { op: "add", path: "/order/status", value: "open" }]);
  await stream.redriveAll();
  await stream.apply();
  const [stored] = await stream.postgres.query<{ doc: string }>({ text: "SELECT doc FROM orders" });
  expect(stored?.doc).toContain("paid");
  expect((await deadLetter("r1:0:0"))?.history.at(-1)?.what).toMatch(/applied|skipped/);
});

const killed = new Error("killed");
const killedBefore: Publish = () => Promise.reject(killed);
const killedAfter: Publish = async (messages) => {
  await stream.write(messages);
  throw killed;
};

test.each([
  ["before it writes", killedBefore, 2],
  ["after it wrote, before it noted it", killedAfter, 4],
])("killed %s, the next process goes on: nothing is lost and nothing applied twice", async (_when, publish, copies) => {
  await refusedOrders(["r1", "r2"]);
  const id = await redrive({ operation: "upsertOrder" }, create);
  await expect(stream.step(publish)).rejects.toBe(killed);
  expect(await stream.step()).toBe(false);
  stream.clock.advance(LEASE_MS);
  await stream.redriveAll();
  await stream.apply();
  expect(idsInLog().filter((record) => record.id.startsWith(id))).toHaveLength(copies);
  expect(await orders()).toEqual([{ id: "o-r1:0:0" }, { id: "o-r2:0:0" }]);
  expect(await skipsOf(id)).toEqual({});
  const parts = (await job(id))?.parts ?? [];
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  for (const record of ["r1:0:0", "r2:0:0"]) {
    expect((await deadLetter(record))?.history.filter(({ what }) => what === "applied")).toHaveLength(1);
  }
});

test("copies are known however long after they come", async () => {
  await refusedOrders(["r1"]);
  const id = await redrive({ ids: ["r1:0:0"] }, create);
  await expect(stream.step(killedAfter)).rejects.toBe(killed);
  await stream.apply();
  stream.clock.advance(100 * 3_600_000);
  await stream.postgres.execute({ text: "DELETE FROM applied_records" });
  await stream.redriveAll();
  const changed = order("r9:0:0", "r1@x.org", { orderID: "o-r1:0:0", status: "paid" });
  stream.append("upsertOrder", [changed]);
  await stream.apply();
  expect((await deadLetter("r1:0:0"))?.history.filter(({ what }) => what === "applied")).toHaveLength(1);
  expect(await outcomesOf(id)).toEqual({});
});

test("letters of one contact are written in the order of their originals, over many steps", async () => {
  const count = 1_100;
  const records = Array.from({ length: count }, (_none, index) => toNoList(`r${index}:0:0`, "same@x.org"));
  for (let from = 0; from < count; from += 100)
    stream.append("removeContactsFromList", records.slice(from, from + 100));
  await stream.apply();
  const id = await redrive({ code: "ACCOUNT_LISTS_NOT_FOUND" });
  await stream.redriveAll();
  const written = idsInLog().filter((record) => record.id.startsWith(id));
  expect(written.map(({ redriveOf }) => redriveOf)).toEqual(records.map((record) => record.id));
  expect(new Set(written.map((record) => record.id)).size).toBe(count);
  expect(await job(id)).toMatchObject({ taken: count, published: count, parts: [{ count }] });
});

test("what validation refuses stays open and says why; the others are written", async () => {
  await refusedOrders(["r1", "r2"]);
  const patch: JsonPatch = [{ op: "test", path: "/contact/identifiers/email", value: "r2@x.org" }, ...create];
  const id = await redrive({ operation: "upsertOrder" }, patch);
  await stream.redriveAll();
  await stream.apply();
  expect(await orders()).toEqual([{ id: "o-r2:0:0" }]);
  expect(await deadLetter("r1:0:0")).toMatchObject({ status: "open", redrive: null });
  expect((await deadLetter("r1:0:0"))?.history.at(-1)).toMatchObject({
    what: "refused",
    code: "VALIDATION_ERROR",
    by: id,
  });
  expect(await job(id)).toMatchObject({ taken: 1, refused: 1 });
});

test("a redriven record that is refused again is a new letter, which says what it stands for and may be redriven in its turn", async () => {
  stream.append("removeContactsFromList", [toNoList("r1:0:0", "a@x.org")]);
  await stream.apply();
  const first = await redrive({ code: "ACCOUNT_LISTS_NOT_FOUND" });
  await stream.redriveAll();
  await stream.apply();
  await stream.redriveAll();
  const filters = { account: stream.account.number, statuses: ["open"], direction: "asc", rowsMax: 10 } as const;
  const [again, ...others] = await pageDeadLetters(stream.postgres, filters);
  expect(others).toEqual([]);
  expect(again).toMatchObject({ recordId: `${first}:0:0`, requestId: first, redriveOf: "r1:0:0" });
  expect([await outcomesOf("r1"), await outcomesOf(first)]).toEqual([{ redriven: 1 }, { open: 1 }]);
  const contact = { identifiers: { email: "a@x.org" }, attributes: { a: 1 }, canBeCreated: true };
  stream.append("upsertContact", [{ id: "c:0:0", receivedAt: AT, contact }]);
  const second = await redrive({ ids: [`${first}:0:0`] }, [
    { op: "remove", path: "/listId" },
    { op: "add", path: "/listName", value: "none" },
  ]);
  await stream.redriveAll();
  await stream.apply();
  expect(await skipsOf(second)).toEqual({ ACCOUNT_LISTS_NOT_FOUND: 1 });
  expect((await deadLetter(`${first}:0:0`))?.history.at(-1)).toMatchObject({ what: "skipped", by: second });
});

test("a letter is taken by one redrive, whichever of two comes first, and a discarded one by none", async () => {
  await refusedOrders(["r1"]);
  const [first, second] = [
    await redrive({ operation: "upsertOrder" }, create),
    await redrive({ operation: "upsertOrder" }, create),
  ];
  await Promise.all([stream.step(), stream.step()]);
  await stream.redriveAll();
  await stream.apply();
  const taken = [(await job(first))?.taken, (await job(second))?.taken];
  expect(taken.toSorted()).toEqual([0, 1]);
  expect(await orders()).toEqual([{ id: "o-r1:0:0" }]);
});

test("an activity with a UID that a redrive brought is seen by the process that takes the partition over", async () => {
  const contact = { identifiers: { email: "u@x.org" } };
  const event = { name: "browse", time: "2026-01-01T00:00:00Z", UID: "view-1" };
  const activity = { id: "r1:0:0", receivedAt: AT, contact, event };
  stream.append("createContactactivities", [activity]);
  await stream.apply();
  stream.append("createContactactivities", [{ ...activity, redriveOf: "r1:0:0" }]);
  await stream.apply();
  const id = await redrive({ ids: ["r1:0:0"] }, create);
  await stream.redriveAll();
  await stream.apply();
  const home = [...stream.log].find(([, frames]) => frames.some(({ headers }) => headers.version !== undefined))?.[0];
  expect(idsInLog().some((record) => record.id === `${id}:0:0`)).toBe(true);
  stream.append("createContactactivities", [{ ...activity, id: "r2:0:0" }], home);
  await stream.apply();
  expect(await skipsOf("r2")).toEqual({ DUPLICATE: 1 });
});

test("contacts that a redrive makes can be found", async () => {
  await refusedOrders(["r1"]);
  await redrive({ ids: ["r1:0:0"] }, create);
  await stream.redriveAll();
  await stream.apply();
  const identifiers = [{ name: "email", value: "r1@x.org" }];
  expect(await readContactByIdentifiers(stream.postgres, stream.account.number, identifiers)).toBeDefined();
});

test("a redrive that is cancelled writes what it has taken, and takes no more", async () => {
  const deadLetters = Array.from({ length: 600 }, (_, n) => toNoList(`c${n}:0:0`, `c${n}@example.com`));
  stream.append("removeContactsFromList", deadLetters);
  await stream.apply();
  const id = await redrive({ operation: "removeContactsFromList" });
  const away: Publish = async () => {
    throw new Error("the log is away");
  };
  await expect(stream.step(away)).rejects.toThrow("away");
  const at = stream.clock.nowMs();
  const { postgres, account } = stream;
  const cancelled = await postgres.transaction((one) => cancelRedrive(one, { account: account.number, id, at }));
  expect(cancelled).toBe(true);
  stream.clock.advance(LEASE_MS + 1);
  await stream.redriveAll();
  expect(await job(id)).toMatchObject({ taken: 500, published: 500, canceledAt: at, writtenAt: expect.any(Number) });
  const [open] = await postgres.query<{ n: number }>({
    text: "SELECT count(*) AS n FROM rejects WHERE status = 'open'",
  });
  expect(open?.n).toBe(100);
});
