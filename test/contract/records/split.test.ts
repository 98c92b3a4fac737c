import { type Account, openReceipt } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { isWriteConflict, retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nowMs, type Running, SECRET, startService } from "../service/running.ts";

let service: Running;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["contacts:read", "contacts:write", "orders:read"] });
});

afterAll(() => service.stop());

let written = 0;

/** Applies a record of an operation to the state, as the projector would. */
function send(name: string, members: object, to = account): Promise<unknown> {
  const operation = loggedOperations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const recordId = `seed${++written}:0:0`;
  const record = { id: recordId, receivedAt: 0, ...members };
  return retryOnConflict(() =>
    service.postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: nowMs() }, to, {
        kind: "v2",
        recordId,
        fold: (state, origin) => operation.fold(state, record, origin),
      }),
    ),
  );
}

const upsert = (identifiers: object, attributes: object, to = account) =>
  send("upsertContact", { contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true } }, to);
const merge = (identifiers: object) =>
  send("upsertContact", { contact: { identifiers, mergeOptions: { mergeAllowed: true } } });

interface Pair {
  readonly customer: { readonly customer_id: string };
  readonly mail: { readonly email: string };
}

/** Two contacts, the second with an address, a list and an order, of which only the first is left. */
async function merged(id: string): Promise<Pair> {
  const pair = { customer: { customer_id: id }, mail: { email: `${id}@x.org` } };
  await upsert(pair.customer, { plan: "gold" });
  await upsert(pair.mail, {
    plan: "free",
    channels: { email: { address: `${id}@X.org`, subscribeStatus: "subscribed" } },
  });
  const order = { orderID: `o-${id}`, purchaseDate: "2026-01-01", items: [] };
  await send("upsertOrder", { contact: { identifiers: pair.mail }, order });
  await merge({ ...pair.customer, ...pair.mail });
  return pair;
}

const split = (body: unknown, headers: Readonly<Record<string, string>> = {}, apiKey = key) =>
  service.call(apiKey, "/v2/contacts/split", { method: "POST", body, headers });
const read = async (path: string) => (await service.call(key, `/v2/${path}`)).body;
const cids = async ({ customer, mail }: Pair) => {
  const [one, other] = [
    await read(`contacts/customer_id:${customer.customer_id}`),
    await read(`contacts/email:${mail.email}`),
  ];
  return [one.cID, other.cID];
};

describe("POST /v2/contacts/split", () => {
  test("undoes the merge that brought the channel: both contacts are as they were, each with its own", async () => {
    const pair = await merged("undone");
    const [survivor] = await cids(pair);
    const { status, body, headers } = await split({ primaryKey: "customer_id:undone", channelNames: ["email"] });
    expect([status, body.success, body.channelsSplit]).toEqual([202, true, ["email"]]);
    const other = await read("contacts/email:undone@x.org");
    expect(body.message).toContain(other.cID);
    expect(other).toMatchObject({
      identifiers: { email: "undone@x.org" },
      attributes: { plan: "free" },
      channels: { email: { address: "undone@x.org", subscribeStatus: "subscribed" } },
    });
    const own = await read("contacts/customer_id:undone");
    expect(own).toMatchObject({
      cID: survivor,
      identifiers: pair.customer,
      channels: {},
      attributes: { plan: "gold" },
    });
    expect((await read("orders/o-undone")).cID).toBe(other.cID);
    expect((await read(`contacts/${other.cID}`)).cID).toBe(other.cID);
    const receipt = openReceipt(String(headers["headwater-receipt"]), SECRET);
    expect(receipt).toMatchObject({ accountId: account.id, parts: [{ lane: 255, count: 1 }] });
  });

  test("emits change events: the alias ends, members are emitted again, orders move back", async () => {
    await merged("seen");
    const { headers } = await split({ primaryKey: "customer_id:seen", channelNames: ["email"] });
    const receipt = openReceipt(String(headers["headwater-receipt"]), SECRET);
    const rows = await service.postgres.query<{ topic: string; payload: string }>({
      text: `SELECT topic, payload FROM outbox WHERE position <= ${receipt?.parts[0]?.lastOffset} ORDER BY xid, position`,
    });
    const last = rows.slice(rows.findLastIndex(({ topic }) => topic === "changes.contacts"));
    const [contacts, orders] = last.map(({ payload }) => JSON.parse(payload).changes);
    expect(last.map(({ topic }) => topic)).toEqual(["changes.contacts", "changes.orders"]);
    const again = contacts.find(({ ownAgain }: { ownAgain?: true }) => ownAgain === true);
    expect(again.fields.map(([path]: [string]) => path)).toContain("attributes.plan");
    expect(orders).toMatchObject([{ orderId: "o-seen", contact: again.contact }]);
  });

  test("gives a receipt that is settled at once, and that a repeat under the same Idempotency-Key has too", async () => {
    await merged("again");
    const body = { primaryKey: "customer_id:again", channelNames: ["email"] };
    const first = await split(body, { "idempotency-key": "k1" });
    const repeat = await split(body, { "idempotency-key": "k1" });
    expect(repeat.headers["idempotency-replayed"]).toBe("true");
    expect([repeat.status, repeat.body, repeat.headers["headwater-receipt"]]).toEqual([
      202,
      first.body,
      first.headers["headwater-receipt"],
    ]);
    const outcome = await read(`receipts/${first.headers["headwater-receipt"]}`);
    expect(outcome).toMatchObject({ state: "applied", records: { applied: 1, pending: 0 } });
    const after = `contacts/email:again@x.org?after=${first.headers["headwater-receipt"]}`;
    expect((await read(after)).identifiers).toEqual({ email: "again@x.org" });
    const late = await service.call(
      key,
      `/v2/contacts/email:again@x.org/history?after=${first.headers["headwater-receipt"]}`,
    );
    expect([late.status, late.body.code]).toEqual([409, "NOT_YET_APPLIED"]);
    expect((await split(body)).body.code).toBe("VALIDATION_ERROR");
  });

  test("is shown in both histories, with the merge that it ended", async () => {
    const pair = await merged("shown");
    const { headers } = await split({ primaryKey: "customer_id:shown", channelNames: ["email"] });
    const id = `${openReceipt(String(headers["headwater-receipt"]), SECRET)?.requestId}:0:0`;
    const [own, other] = await cids(pair);
    const [ofOwn, ofOther] = [await read(`contacts/${own}/history`), await read(`contacts/${other}/history`)];
    expect(ofOwn.data.map(({ by }: { by: { kind: string } }) => by.kind)).toEqual(["split", "merge"]);
    expect(ofOwn.data[0]).toMatchObject({
      by: { id },
      changes: [{ path: `contacts.${other}`, from: null, to: other }],
    });
    expect(ofOther.data[0]).toMatchObject({ by: { id }, changes: [{ path: "mergedInto", from: own, to: null }] });
  });

  test("makes a new contact of channels that no merge brought", async () => {
    await upsert(
      { customer_id: "new" },
      { plan: "gold", channels: { sms: { address: "+4922812345", subscribeStatus: "unsubscribed" } } },
    );
    const before = await read("contacts/customer_id:new");
    expect((await split({ primaryKey: before.cID, channelNames: ["sms"] })).status).toBe(202);
    const created = await read("contacts/phone:+4922812345");
    expect(created.channels.sms).toMatchObject({ address: "+4922812345", subscribeStatus: "unsubscribed" });
    expect(created.cID).not.toBe(before.cID);
    expect(await read("contacts/customer_id:new")).toMatchObject({ identifiers: { customer_id: "new" }, channels: {} });
  });

  test("is refused: merging switched off, an unknown contact, channels it does not have, a wrong body, no scope", async () => {
    await upsert({ customer_id: "plain" }, { plan: "gold" });
    const off = await service.account({ features: { merge: false } });
    const offKey = await service.key(off.account, { scopes: ["contacts:write"] });
    const body = { primaryKey: "customer_id:plain", channelNames: ["email"] };
    const refusals = [
      [await split(body, {}, offKey), 403, "FEATURE_NOT_ENABLED"],
      [await split({ ...body, primaryKey: "customer_id:nobody" }), 404, "CONTACTS_CONTACT_NOT_FOUND"],
      [await split({ ...body, primaryKey: "f".repeat(24) }), 404, "CONTACTS_CONTACT_NOT_FOUND"],
      [await split(body), 422, "VALIDATION_ERROR"],
      [await split({ ...body, channelNames: [] }), 422, "VALIDATION_ERROR"],
      [await split({ ...body, channelNames: ["email", "email"] }), 422, "VALIDATION_ERROR"],
      [await split({ primaryKey: "customer_id:plain" }), 422, "VALIDATION_ERROR"],
      [await split(body, {}, await service.key(account)), 403, "INSUFFICIENT_SCOPE"],
    ] as const;
    for (const [answer, status, code] of refusals) expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(refusals[3][0].body.details).toMatchObject([{ path: "/channelNames/0", code: "bad_value" }]);
  });

  test("splits and merges of the same contacts at once end in one contact or two, and every identifier finds one of them", async () => {
    const pair = await merged("race");
    const [survivor] = await cids(pair);
    const calls = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? split({ primaryKey: "customer_id:race", channelNames: ["email"] }).then(({ status }) => status)
        : merge({ ...pair.customer, ...pair.mail }).then(() => 202),
    );
    const statuses = await Promise.all(calls);
    expect(statuses.every((status) => status === 202 || status === 422)).toBe(true);
    expect(statuses.filter((_, index) => index % 2 === 0)).toContain(202);
    const [own, other] = await cids(pair);
    expect(own).toBe(survivor);
    const notUndone = await service.postgres.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM merges m JOIN contacts c ON c.account = m.account AND c.number = m.merged
        WHERE c.cid = '${other}' AND m.undone_version IS NULL`,
    });
    expect(notUndone).toEqual([{ count: 0 }]);
    const attributes = await read("contacts/customer_id:race");
    expect(attributes.attributes.plan).toBe(own === other ? "free" : "gold");
  });
});

test("an error that is no race is not run again", async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw new Error("a defect");
  };
  await expect(retryOnConflict(run)).rejects.toThrow("a defect");
  expect([runs, isWriteConflict(new Error("a defect"))]).toEqual([1, false]);
});
