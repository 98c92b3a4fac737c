import type { Account } from "@headwater/contracts";
import { readStoredJob } from "@headwater/jobs/queue/jobs";
import { readErasure } from "@headwater/records/erasures/erasures";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, workOff } from "../jobs/workOff.ts";
import { type Running, startService } from "../service/running.ts";
import { AT, seedContacts, seedLists, seedOrders } from "../service/seed.ts";

const CID = "65f0c0ffee65f0c0ffee0001";
const MERGED = "65f0c0ffee65f0c0ffee0002";
const ADDRESS = "ada@example.com";
let service: Running;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, {
    scopes: ["contacts:read", "contacts:write", "orders:read", "jobs:read", "jobs:write"],
  });
});
afterAll(() => service.stop());

let number = 1_000;
/** A contact, one that was merged into it, a list and an order. */
async function seed(): Promise<number> {
  number += 10;
  await seedContacts(service.postgres, account, [
    { number, cid: CID, identifiers: { email: ADDRESS, customer_id: `c${number}` } },
    { number: number + 1, cid: MERGED, mergedInto: number },
  ]);
  await seedLists(service.postgres, account, { vip: [number] });
  await seedOrders(service.postgres, account, [{ orderId: `o${number}`, contact: number, purchasedAt: AT }]);
  return number;
}
const erase = (primaryKey: string, by = key, headers = {}) =>
  service.call(by, `/v2/contacts/${primaryKey}`, { method: "DELETE", headers });
const get = (path: string) => service.call(key, path);
const rows = async (table: string) => {
  const text = `SELECT count(*) AS n FROM ${table} WHERE account = $1`;
  const [row] = await service.postgres.query<{ n: number }>({ text }, [account.number]);
  return row?.n;
};

describe("DELETE /v2/contacts/{primary_key}", () => {
  test("takes the contact and all that is its own out of Postgres at once, once for its Idempotency-Key", async () => {
    const contact = await seed();
    const headers = { "idempotency-key": "erase-1" };
    const erased = await erase(`email:${ADDRESS}`, key, headers);
    expect(erased).toMatchObject({
      status: 200,
      body: { success: true },
      headers: { "headwater-receipt": expect.any(String) },
    });
    expect((await erase(`email:${ADDRESS}`, key, headers)).body).toEqual(erased.body);
    for (const one of [`email:${ADDRESS}`, CID, MERGED, `customer_id:c${contact}`]) {
      expect(await get(`/v2/contacts/${one}`)).toMatchObject({
        status: 404,
        body: { code: "CONTACTS_CONTACT_NOT_FOUND" },
      });
    }
    expect((await get(`/v2/orders/o${contact}`)).status).toBe(404);
    for (const table of ["contacts", "contact_identifiers", "memberships", "orders", "carts"]) {
      expect([table, await rows(table)]).toEqual([table, 0]);
    }
  });

  test("emits a change event, remembers hashes and no name, and starts a job that nobody can cancel", async () => {
    const contact = await seed();
    const { jobId } = (await erase(CID)).body;
    const emitted = await service.postgres.query<{ payload: string }>({
      text: "SELECT payload FROM outbox WHERE topic = 'changes.contacts' ORDER BY position DESC LIMIT 1",
    });
    expect(JSON.parse(emitted[0]?.payload ?? "").changes).toMatchObject([{ contact, erased: true, fields: [] }]);
    const job = await readStoredJob(service.postgres, account.number, jobId);
    const version = String(Object(job?.input).version);
    expect(await readErasure(service.postgres, account.number, version)).toMatchObject({
      numbers: [contact, contact + 1],
      cids: [CID, MERGED],
      orders: [`o${contact}`],
    });
    const remembered = await service.postgres.query<{ hash: string }>({ text: "SELECT hash FROM erased_identifiers" });
    expect(remembered.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    const cancelled = await service.call(key, `/v2/jobs/${jobId}/cancel`, { method: "PUT" });
    expect(cancelled).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
  });

  test("the job of an erasure waits for what was emitted before, and then no longer knows whom it was about", async () => {
    await seed();
    const { jobId } = (await erase(CID)).body;
    const folder = freshFolder();
    await workOff(service, jobId, folder);
    expect((await get(`/v2/jobs/${jobId}`)).body).toMatchObject({ status: "Processing" });
    await service.postgres.execute({ text: "DELETE FROM outbox" });
    const worked = async () => {
      await workOff(service, jobId, folder);
      return (await get(`/v2/jobs/${jobId}`)).body;
    };
    await expect.poll(worked, { timeout: 30_000 }).toMatchObject({ status: "Done", completedItems: 1 });
    expect(await readStoredJob(service.postgres, account.number, jobId)).toMatchObject({ input: {} });
    const stored = { text: "SELECT count(*) AS n FROM intake.idempotency WHERE route ~ 'ada'" };
    expect(await service.postgres.query(stored)).toEqual([{ n: 0 }]);
  });

  test("is refused for an unknown contact, another account and a key that may not write", async () => {
    await seed();
    const unknown = await erase("email:nobody@example.com");
    expect(unknown).toMatchObject({ status: 404, body: { code: "CONTACTS_CONTACT_NOT_FOUND" } });
    const { account: other } = await service.account();
    expect(await erase(CID, await service.key(other, { scopes: ["write"] }))).toMatchObject({ status: 404 });
    const reader = await service.key(account, { scopes: ["contacts:read"] });
    expect(await erase(CID, reader)).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE" } });
    expect((await get(`/v2/contacts/${CID}`)).status).toBe(200);
  });
});
