import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream, stateOf } from "../../intake/projector/memoryStream.ts";
import { freshPostgres, postgresOn } from "../../stores/fresh.ts";

let stream: MemoryStream;
/** A pool whose statements are ended soon. */
let impatient: Postgres;
beforeEach(async () => {
  const fresh = await freshPostgres();
  impatient = postgresOn(fresh.url, { statementTimeoutMs: 2_000 });
  stream = await startMemoryStream(fresh);
});
afterEach(async () => {
  await impatient.close();
  await stream.drop();
});

let created = 0;
function append(operation: string, members: readonly object[]): void {
  const receivedAt = stream.clock.nowMs();
  const records = members.map((one) => ({ id: `request-${created++}:0:0`, receivedAt, ...one }));
  stream.append(operation, records);
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const create = { attributes: { plan: "x" }, canBeCreated: true, canBeUpdated: true };
const person = (identifiers: object, more: object = {}) => ({ contact: { identifiers, ...create, ...more } });
const cart = (identifiers: object, sku: string) => {
  return { contact: { identifiers }, products: [{ productID: "p", sku, qty: 1, name: "thing", price: 1 }] };
};

async function count(text: string): Promise<number> {
  const [row] = await stream.postgres.query<{ count: number }>({ text }, [stream.account.number]);
  return Number(row?.count);
}
const rejects = () => stream.postgres.query({ text: "SELECT record_id, code, message FROM rejects LIMIT 5" });
const carts = () => count("SELECT count(*) FROM carts WHERE account = $1");
const live = () => count("SELECT count(*) FROM contacts WHERE account = $1 AND merged_into IS NULL");

test("carts by identifiers that the same batch attaches are all filled, however many there are", async () => {
  append(
    "upsertContact",
    range(215).map((n) => person({ email: `${n}@example.com` })),
  );
  await stream.apply();
  append(
    "upsertContact",
    range(215).map((n) => person({ email: `${n}@example.com`, customer_id: n })),
  );
  append(
    "addProductsToCart",
    range(215).map((n) => cart({ customer_id: n }, "s")),
  );
  await stream.apply();
  expect(await rejects()).toEqual([]);
  expect([await live(), await carts()]).toEqual([215, 215]);
});

test("a chain in which each record attaches what the next one is found by ends as one by one", async () => {
  append("upsertContact", [person({ email: "first@example.com" })]);
  append(
    "upsertContact",
    range(500).map((n) => person({ email: `other${n}@example.com`, name: n })),
  );
  await stream.apply();
  const by = (n: number) => (n === 0 ? { email: "first@example.com" } : { [`key${n}`]: "v" });
  append(
    "upsertContact",
    range(500).map((n) => person({ ...by(n), [`key${n + 1}`]: "v" })),
  );
  append(
    "addProductsToCart",
    range(500).map((n) => cart(by(n), `s${n}`)),
  );
  append(
    "addContactsToList",
    range(500).map((n) => ({ contact: { identifiers: by(n) }, listName: "everybody" })),
  );
  await stream.apply();
  expect(await rejects()).toEqual([]);
  expect([await live(), await carts()]).toEqual([501, 1]);
  expect(await count("SELECT count(*) FROM memberships WHERE account = $1")).toBe(1);
  const [row] = await stream.postgres.query<{ doc: string }>({ text: "SELECT doc FROM carts" });
  expect(JSON.parse(row?.doc ?? "").lines).toHaveLength(500);
});

test("a chain of merges 500 deep ends with one contact that has everybody's lists and the last cart", async () => {
  append(
    "upsertContact",
    range(501).map((n) => person({ [`key${n}`]: "v" })),
  );
  append(
    "addProductsToCart",
    range(501).map((n) => cart({ [`key${n}`]: "v" }, `s${n}`)),
  );
  append(
    "addContactsToList",
    range(501).map((n) => ({ contact: { identifiers: { [`key${n}`]: "v" } }, listName: `l${n % 7}` })),
  );
  await stream.apply();
  const mergeOptions = { mergeAllowed: true };
  append(
    "upsertContact",
    range(500).map((n) => person({ [`key${500 - n}`]: "v", [`key${499 - n}`]: "v" }, { mergeOptions })),
  );
  await stream.apply();
  expect(await rejects()).toEqual([]);
  expect([await live(), await carts()]).toEqual([1, 1]);
  const [row] = await stream.postgres.query<{ doc: string }>({ text: "SELECT doc FROM carts" });
  expect(JSON.parse(row?.doc ?? "").lines[0][1]).toBe("s500");
  const ofSurvivor = `SELECT count(*) FROM memberships m JOIN contacts c ON c.number = m.contact
    WHERE m.account = $1 AND m.present AND c.merged_into IS NULL`;
  expect(await count(ofSurvivor)).toBe(7);
});

test("a record that Postgres ends for slowness is refused alone", async () => {
  await stream.postgres.execute({
    text: `CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.value = 'slow@example.com' THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$`,
  });
  await stream.postgres.execute({
    text: "CREATE TRIGGER dawdles BEFORE INSERT ON contact_identifiers FOR EACH ROW EXECUTE FUNCTION dawdle()",
  });
  append(
    "upsertContact",
    range(3).map((n) => person({ email: `before${n}@example.com` })),
  );
  append(
    "upsertContact",
    ["one", "slow", "two"].map((name) => person({ email: `${name}@example.com` })),
  );
  append(
    "upsertContact",
    range(3).map((n) => person({ email: `behind${n}@example.com` })),
  );
  await stream.apply(stateOf(impatient, stream.account, stream.clock));
  expect(await live()).toBe(8);
  expect(await rejects()).toMatchObject([{ code: "INTERNAL_ERROR" }]);
  const slow = { text: "SELECT payload FROM rejects WHERE payload::text LIKE '%slow@example.com%'" };
  expect(await stream.postgres.query(slow)).toHaveLength(1);
});

test("a record that waits for another transaction's lock refuses nobody, and is applied when the lock is free", async () => {
  append("upsertContact", [person({ email: "a@example.com" })]);
  await stream.apply();
  append("upsertContact", [person({ email: "a@example.com" }, { attributes: { plan: "y" } })]);
  await stream.postgres.transaction(async (holder) => {
    await holder.execute({ text: "SELECT 1 FROM contacts FOR UPDATE" });
    await expect(stream.apply(stateOf(impatient, stream.account, stream.clock))).rejects.toMatchObject({
      retriable: true,
    });
  });
  await stream.apply();
  expect(await rejects()).toEqual([]);
  expect(await count("SELECT count(*) FROM contacts WHERE account = $1 AND doc LIKE '%\"y\"%'")).toBe(1);
});

test("a batch whose carts are larger than one may load is applied in parts, a single frame too", async () => {
  const big = { productID: "p", sku: "big", qty: 1, name: "n".repeat(250_000) };
  for (const n of range(300)) {
    append("addProductsToCart", [
      { ...cart({ customer_id: n }, "s"), contact: { identifiers: { customer_id: n }, ...create }, products: [big] },
    ]);
  }
  await stream.apply();
  const applied: number[] = [];
  append(
    "addProductsToCart",
    range(300).map((n) => cart({ customer_id: n }, "one frame")),
  );
  for (const n of range(300)) append("addProductsToCart", [cart({ customer_id: n }, "many frames")]);
  const handler = stateOf(stream.postgres, stream.account, stream.clock);
  await stream.apply({
    start: (at) => handler.start(at),
    async batch(batch, context) {
      const result = await handler.batch(batch, context);
      if (result.kind === "next") applied.push(result.offset);
      return result;
    },
  });
  expect(await rejects()).toEqual([]);
  const lines = "SELECT count(*) FROM carts WHERE account = $1 AND doc LIKE '%one frame%' AND doc LIKE '%many frames%'";
  expect(await count(lines)).toBe(300);
  expect(applied.length).toBeGreaterThan(2);
});
