import { type Account, contactMergeOptions } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { systemClock } from "@headwater/kernel";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { readContactByCid } from "@headwater/records/contacts/contactReads";
import { mergeAsAsked } from "@headwater/records/contacts/mergeAsAsked";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workOff } from "../jobs/workOff.ts";
import { type Running, startService } from "../service/running.ts";
import { AT, seedOrders } from "../service/seed.ts";

let service: Running;
let account: Account;
let key: string;
const SCOPES = ["contacts:read", "contacts:write", "orders:read", "jobs:read"];
beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, { scopes: SCOPES });
});
afterAll(() => service.stop());

let written = 0;

/** Applies a record of an operation to the state, as the projector would. */
function send(name: string, members: object): Promise<unknown> {
  const operation = loggedOperations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const recordId = `seed${++written}:0:0`;
  const record = { id: recordId, receivedAt: 0, ...members };
  return retryOnConflict(() =>
    service.postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: systemClock.nowMs() }, account, {
        kind: "v2",
        recordId,
        fold: (state, origin) => operation.fold(state, record, origin),
      }),
    ),
  );
}

/** A pair of contacts, the source with an order. */
async function pairOf(id: string) {
  const [source, destination] = [{ customer_id: `${id}-s` }, { customer_id: `${id}-d` }];
  for (const [identifiers, plan] of [
    [source, "free"],
    [destination, "gold"],
  ] as const) {
    await send("upsertContact", {
      contact: { identifiers, attributes: { plan }, canBeCreated: true, canBeUpdated: true },
    });
  }
  const order = { orderID: `o-${id}`, purchaseDate: "2026-01-01", items: [] };
  await send("upsertOrder", { contact: { identifiers: source }, order });
  return { sourceContact: `customer_id:${id}-s`, destinationContact: `customer_id:${id}-d` };
}

async function waitingSessions(): Promise<number> {
  const text =
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const [row] = await service.postgres.query<{ n: number }>({ text });
  return row?.n ?? 0;
}

const work = (jobId: string) => workOff(service, jobId);
const merge = (body: object, by = key, headers = {}) =>
  service.call(by, "/v2/contacts/merge", { method: "POST", body, headers });
const get = async (path: string) => (await service.call(key, path)).body;

describe("POST /v2/contacts/merge", () => {
  test("starts a job, once for its Idempotency-Key, that makes one contact of both and says what it did", async () => {
    const pair = await pairOf("a");
    const [source, destination] = [
      await get(`/v2/contacts/${pair.sourceContact}`),
      await get(`/v2/contacts/${pair.destinationContact}`),
    ];
    const headers = { "idempotency-key": "merge-a" };
    const started = await merge({ ...pair, options: { attributes: "sourceContact" } }, key, headers);
    const { jobId } = started.body;
    expect(started).toMatchObject({ status: 202, body: { jobID: jobId }, headers: { location: `/v2/jobs/${jobId}` } });
    expect((await merge({ ...pair, options: { attributes: "sourceContact" } }, key, headers)).body).toEqual(
      started.body,
    );
    await work(jobId);
    expect(await get(`/v2/jobs/${jobId}`)).toMatchObject({
      jobName: "MergeContacts",
      status: "Done",
      totalItems: 1,
      completedItems: 1,
      result: { updated: 1 },
      metadata: { sourceContact: source.cID, destinationContact: destination.cID, done: { events: "merge", lists: 0 } },
    });
    const merged = await get(`/v2/contacts/cID:${source.cID}`);
    expect(merged).toMatchObject({ cID: destination.cID, attributes: { plan: "free" } });
    expect(await get("/v2/orders/o-a")).toMatchObject({ cID: destination.cID });
    const { data } = await get("/v2/jobs?jobName=MergeContacts");
    expect(data.length).toBe(1);
  });

  test("leaves orders behind when they are to be ignored, and says with whom", async () => {
    const pair = await pairOf("b");
    const { cID } = await get(`/v2/contacts/${pair.destinationContact}`);
    const { jobId } = (await merge({ ...pair, options: { orders: "ignore" } })).body;
    await work(jobId);
    const { metadata } = await get(`/v2/jobs/${jobId}`);
    expect(metadata.done).toMatchObject({ orders: { moved: 0, left: 1 } });
    expect(await get("/v2/orders/o-b")).toMatchObject({ cID: metadata.done.leftWith });
    expect(metadata.done.leftWith).not.toBe(cID);
  });

  test.each([
    ["takes any number of orders along when activities are to be ignored", { events: "ignore" }, "moved"],
    ["leaves any number of orders behind, all with one contact", { orders: "ignore" }, "left"],
  ] as const)("%s", async (name, options, counted) => {
    const pair = await pairOf(counted);
    const { cID } = await get(`/v2/contacts/${pair.sourceContact}`);
    const source = await readContactByCid(service.postgres, account.number, cID);
    const contact = source?.number ?? 0;
    const orders = Array.from({ length: 2_100 }, (_, n) => ({ orderId: `${counted}-${n}`, contact, purchasedAt: AT }));
    await seedOrders(service.postgres, account, orders);
    const destination = await get(`/v2/contacts/${pair.destinationContact}`);
    const { jobId } = (await merge({ ...pair, options })).body;
    await work(jobId);
    const { status, metadata } = await get(`/v2/jobs/${jobId}`);
    expect([name, status, metadata.done.orders[counted]]).toEqual([name, "Done", 2_101]);
    const owner = counted === "moved" ? destination.cID : metadata.done.leftWith;
    const text = `SELECT DISTINCT c.cid FROM orders o JOIN contacts c ON c.account = o.account AND c.number = o.contact
      WHERE o.account = $1 AND o.order_id LIKE $2`;
    expect(await service.postgres.query({ text }, [account.number, `${counted}-%`])).toEqual([{ cid: owner }]);
  });

  test("takes along the orders of whom the source was merged into meanwhile", async () => {
    const pair = await pairOf("raced");
    const { sourceContact: third } = await pairOf("third");
    const ids = [pair.sourceContact, third].map((contact) => contact.slice("customer_id:".length));
    const { jobId } = (await merge({ ...pair, options: { events: "ignore" } })).body;
    const { working } = await service.postgres.transaction(async (transaction) => {
      await writeState({ transaction, nowMs: systemClock.nowMs() }, account, {
        kind: "merge",
        recordId: `seed${++written}:0:0`,
        fold(state, origin) {
          const [source, destination] = ids.map((value) => state.find({ name: "customer_id", value }));
          if (source === undefined || destination === undefined) throw new Error("both are there");
          return mergeAsAsked(
            state,
            { source, destination, keeper: undefined, orders: [] },
            contactMergeOptions.parse({}),
            origin,
          );
        },
      });
      const working = work(jobId);
      await expect.poll(waitingSessions).toBe(1);
      return { working };
    });
    await working;
    expect((await get(`/v2/jobs/${jobId}`)).metadata.done.orders).toEqual({ moved: 2, left: 0 });
    const { cID } = await get(`/v2/contacts/${pair.destinationContact}`);
    expect([await get("/v2/orders/o-raced"), await get("/v2/orders/o-third")]).toMatchObject([{ cID }, { cID }]);
  });

  test("has nothing to do when both have become one meanwhile", async () => {
    const pair = await pairOf("c");
    const jobs = [
      (await merge({ ...pair, options: {} })).body.jobId,
      (await merge({ ...pair, options: {} })).body.jobId,
    ];
    for (const job of jobs) await work(job);
    expect(await get(`/v2/jobs/${jobs[1]}`)).toMatchObject({ status: "Done", result: { updated: 0, ignored: 1 } });
  });

  test("is refused: switched off, an unknown contact, one contact twice, a wrong option, no options, no scope", async () => {
    const pair = await pairOf("d");
    const off = await service.account({ features: { merge: false } });
    const offKey = await service.key(off.account, { scopes: SCOPES });
    expect(await merge({ ...pair, options: {} }, offKey)).toMatchObject({
      status: 403,
      body: { code: "FEATURE_NOT_ENABLED" },
    });
    const unknown = await merge({ ...pair, sourceContact: "customer_id:nobody", options: {} });
    expect(unknown).toMatchObject({ status: 404, body: { code: "CONTACTS_CONTACT_NOT_FOUND" } });
    for (const body of [
      { ...pair, sourceContact: pair.destinationContact, options: {} },
      { ...pair, options: { cart: "mine" } },
      pair,
    ]) {
      expect(await merge(body)).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR" } });
    }
    const reader = await service.key(account, { scopes: ["contacts:read"] });
    expect(await merge({ ...pair, options: {} }, reader)).toMatchObject({
      status: 403,
      body: { code: "INSUFFICIENT_SCOPE" },
    });
    const { account: other } = await service.account();
    const theirs = await service.key(other, { scopes: SCOPES });
    expect(await merge({ ...pair, options: {} }, theirs)).toMatchObject({ status: 404 });
  });
});
