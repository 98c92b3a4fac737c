import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const customer = { customer_id: "c-1" };
const mail = { email: "bo@example.com" };
const event = (UID: string) => ({ name: "visit", time: "2026-01-09T22:47:12Z", UID });
const items = [{ productID: "1", sku: "1", name: "A thing", itemPrice: "2", qty: 1 }];

/** A contact with an activity, a list and an order of its own. @returns the receipt of the last. */
async function live(caller: Caller, identifiers: object, tier: string): Promise<string> {
  const contact = { identifiers };
  const order = { orderID: `o-${tier}`, purchaseDate: "2026-01-01", items };
  await caller.settled(await caller.send("upsertContact", { identifiers, attributes: { tier }, canBeCreated: true }));
  await caller.settled(await caller.send("createContactactivities", { contact, contactactivities: [event(tier)] }));
  await caller.settled(
    await caller.send("addContactsToList", { identifiers: [identifiers], listName: `list-${tier}` }),
  );
  return caller.send("upsertOrder", { contact, order });
}

const everybody = { or: [{ event: "visit" }, { not: { event: "visit" } }] };
const criteria = [
  everybody,
  { event: "visit" },
  { order: true },
  { list: "list-mail", op: "in" },
  { field: "attributes.tier", op: "eq", value: "customer" },
  { field: "attributes.tier", op: "eq", value: "mail" },
];

test("two contacts become one, the history shows it, a split takes them apart, and nobody is ever counted twice", async () => {
  const caller = await stack.caller("merge and split");
  await live(caller, customer, "customer");
  const before = await live(caller, mail, "mail");
  const counts = async (after: string) => Promise.all(criteria.map((one) => caller.count(one, after)));
  expect(await counts(before)).toEqual([2, 2, 2, 1, 1, 1]);
  const dead = (await caller.read("/v2/contacts/email:bo@example.com", before)).body.cID;

  const merged = await caller.send("upsertContact", {
    identifiers: { ...customer, ...mail },
    mergeOptions: { mergeAllowed: true },
  });
  expect(await counts(merged)).toEqual([1, 1, 1, 1, 0, 1]);
  const view = await caller.read(`/v2/contacts/${dead}/history`, merged);
  const [merge, ...earlier] = view.body.data;
  expect(merge.by.kind).toBe("merge");
  expect(merge.changes).toContainEqual({ path: "attributes.tier", from: "customer", to: "mail" });
  expect(merge.changes).toContainEqual({ path: "lists.list-mail", from: null, to: expect.any(String) });
  expect(merge.changes.find(({ path }: { path: string }) => path === `contacts.${dead}`).from.attributes.tier).toBe(
    "mail",
  );
  expect(earlier.map(({ by }: { by: { kind: string } }) => by.kind)).toEqual(["record", "record"]);

  // Counts are asked for all through the split: two contacts are there at most, however far ClickHouse is.
  const splitting = caller.write("/v2/contacts/split", { primaryKey: "customer_id:c-1", channelNames: ["email"] });
  const meanwhile: number[] = [];
  const { status, receipt } = await splitting;
  expect(status).toBe(202);
  for (let count = 0; count !== 2; ) {
    const { body } = await caller.post("/v2/audiencecount", everybody);
    count = body.count;
    meanwhile.push(count);
  }
  expect(meanwhile.every((count) => count === 1 || count === 2)).toBe(true);
  expect(await counts(receipt)).toEqual([2, 2, 2, 1, 1, 1]);

  const [one, other] = [
    await caller.read("/v2/contacts/customer_id:c-1", receipt),
    await caller.read("/v2/contacts/email:bo@example.com", receipt),
  ];
  expect([one.body.attributes, one.body.lists]).toEqual([{ tier: "customer" }, ["list-customer"]]);
  expect([other.body.cID, other.body.attributes, other.body.lists]).toEqual([dead, { tier: "mail" }, ["list-mail"]]);
  for (const { body } of [one, other]) {
    const activities = await caller.read(`/v2/contactactivities?cID=${body.cID}`, receipt);
    expect(activities.body.data).toMatchObject([{ cID: body.cID }]);
    const orders = await caller.read(`/v2/orders?cID=${body.cID}`, receipt);
    expect(orders.body.data).toHaveLength(1);
  }
  const history = await caller.read("/v2/contacts/customer_id:c-1/history", receipt);
  const [split] = history.body.data;
  expect(split.by.kind).toBe("split");
  expect(split.changes).toContainEqual({ path: "attributes.tier", from: "mail", to: "customer" });

  const again = await caller.send("upsertContact", {
    identifiers: mail,
    attributes: { tier: "late" },
    canBeUpdated: true,
  });
  expect((await caller.read("/v2/contacts/email:bo@example.com", again)).body).toMatchObject({
    cID: dead,
    attributes: { tier: "late" },
  });
  expect(await counts(again)).toEqual([2, 2, 2, 1, 1, 0]);
  const remerged = await caller.send("upsertContact", {
    identifiers: { ...customer, ...mail },
    mergeOptions: { mergeAllowed: true },
  });
  expect(await counts(remerged)).toEqual([1, 1, 1, 1, 0, 0]);
});

const PAIRS = 16;
/** Kills, by the number of answers at which they come. */
const KILLS: ReadonlyMap<number, "killService" | "killProjector"> = new Map([
  [4, "killService"],
  [8, "killProjector"],
  [12, "killService"],
]);

test("splits of which the service and the projector are killed are done once, each with the answer of its first call", async () => {
  const caller = await stack.caller("killed splits");
  const pair = (n: number) => ({ customer: { customer_id: `k-${n}` }, mail: { email: `k-${n}@example.com` } });
  const pairs = Array.from({ length: PAIRS }, (_, n) => pair(n));
  // Who was created first survives.
  for (const side of ["customer", "mail"] as const) {
    const items = pairs.map((one) => ({ identifiers: one[side], attributes: { side }, canBeCreated: true }));
    await caller.settled(await caller.send("upsertContact/batch", { items }));
  }
  const joined = { identifiers: pairs.map(({ mail }) => mail), listName: "killed" };
  await caller.settled(await caller.send("addContactsToList", joined));
  const mergeOptions = { mergeAllowed: true };
  const merges = pairs.map(({ customer, mail }) => ({ identifiers: { ...customer, ...mail }, mergeOptions }));
  const merged = await caller.send("upsertContact/batch", { items: merges });
  expect(await caller.count(everybody, merged)).toBe(PAIRS);

  let answered = 0;
  const split = async (n: number) => {
    const body = { primaryKey: `customer_id:k-${n}`, channelNames: ["email"] };
    for (;;) {
      const answer = await caller
        .write("/v2/contacts/split", body, { headers: { "Idempotency-Key": `split-${n}` } })
        .catch(() => undefined);
      if (answer === undefined || answer.status === 503) continue;
      const kill = KILLS.get(++answered);
      if (kill !== undefined) stack[kill]();
      return answer;
    }
  };
  const left = [...pairs.keys()];
  const receipts: string[] = [];
  const work = async () => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) {
      const { status, receipt } = await split(n);
      expect(status).toBe(202);
      receipts.push(receipt);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  for (const receipt of receipts) await patiently(() => caller.read("/v2/contacts/customer_id:k-0/history", receipt));
  const again = await Promise.all(pairs.keys().map((n) => split(n)));
  expect(again.map(({ receipt }) => receipt).sort()).toEqual([...receipts].sort());
  expect(await caller.count(everybody, receipts.at(-1) ?? "")).toBe(2 * PAIRS);
  expect(await caller.count({ list: "killed", op: "in" }, receipts.at(-1) ?? "")).toBe(PAIRS);
  for (const [n, { customer, mail }] of pairs.entries()) {
    const own = (await caller.get(`/v2/contacts/customer_id:k-${n}`)).body;
    const other = (await caller.get(`/v2/contacts/email:k-${n}@example.com`)).body;
    expect([own.identifiers, own.attributes, own.lists]).toEqual([customer, { side: "customer" }, []]);
    expect([other.identifiers, other.attributes, other.lists]).toEqual([mail, { side: "mail" }, ["killed"]]);
  }
});

/** A process that was killed is a while away, and ClickHouse behind for so long. */
async function patiently(read: () => Promise<{ readonly status: number }>): Promise<void> {
  await expect.poll(async () => (await read().catch(() => ({ status: 0 }))).status, { timeout: 60_000 }).toBe(200);
}
