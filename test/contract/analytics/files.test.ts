import { hash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { insertAttributeClear } from "@headwater/records/attributes/attributeClears";
import { deleteOldJobs } from "@headwater/worker/housekeeping";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder, workOff } from "../jobs/workOff.ts";
import { type Running, startService, storedTime } from "../service/running.ts";
import { AT, seedContacts, seedLists, seedOrders, versionAt } from "../service/seed.ts";

const CID = "65f0c0ffee65f0c0ffee0001";
/** Its price has more digits than a double holds. */
const LINE = { productID: "p", sku: "s", name: "P", category: "c", qty: 1, itemPrice: "90071992547409.9301" };
const folder = freshFolder();
let service: Running;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService({ files: createFileStore({ folder }) });
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["contacts:read", "jobs:read"] });
  const identifiers = { email: "ada@example.com", customer_id: "17850" };
  await seedContacts(service.postgres, account, [
    { number: 1_000, cid: CID, identifiers, attributes: { plan: "gold" } },
    { number: 999, cid: "65f0c0ffee65f0c0ffee0002", mergedInto: 1_000 },
    { number: 2_000, cid: "65f0c0ffee65f0c0ffee0003", identifiers: { customer_id: "other" } },
  ]);
  await seedLists(service.postgres, account, { vip: [1_000], other: [2_000] });
  await seedOrders(service.postgres, account, [
    { orderId: "o1", contact: 1_000, purchasedAt: AT, members: { items: [LINE], tax: "0.1234" } },
    { orderId: "o2", contact: 2_000, purchasedAt: AT },
  ]);
  const activity = (contact: number, record: string) => ({
    ...{ contact, action: "browse", time: storedTime(AT), ingested: storedTime(AT), uid: record, record, mc_id: "" },
    ...{ properties: '{"page":"/"}', geo_city: "", geo_country: "", geo_lat: null, geo_lon: null, device: "" },
  });
  await service.insert("activities", account, [activity(1_000, "r1"), activity(999, "r2"), activity(2_000, "r3")]);
  const field = { field: "attributes.plan", contact: 999, kind: "string", text: "free", number: null };
  await service.insert("contact_fields_history", account, [{ ...field, version: versionAt(AT), at: storedTime(AT) }]);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const start = (primaryKey: string, body: object = {}, by = key) =>
  service.call(by, `/v2/contacts/${primaryKey}/downloadprofile`, { method: "POST", body });
const job = async (id: string) => (await service.call(key, `/v2/jobs/${id}`)).body;
async function exported(body: object = {}) {
  const { jobId } = (await start("email:ada@example.com", body)).body;
  await workOff(service, jobId, folder);
  return job(jobId);
}

describe("a contact's profile", () => {
  test("holds everything that is known of the contact and of those merged into it, and of nobody else", async () => {
    const done = await exported();
    expect(done).toMatchObject({ jobName: "ExportContactProfile", status: "Done", metadata: { cID: CID } });
    const [file] = done.metadata.files;
    const { text, headers, status } = await service.call(undefined, file.url);
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expect(file).toMatchObject({ bytes: Buffer.byteLength(text), sha256: hash("sha256", text, "hex"), rows: 6 });
    // Decimals are numbers of their own digits, which no double here could hold.
    expect(text).toContain('"itemPrice":90071992547409.9301,');
    expect(text).toContain('"tax":0.1234,');
    expect(text).toContain('"totalAmount":90071992547410.0535,"totalComputed":true');
    const entries: { type: string; data: object }[] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toMatchObject([
      {
        type: "contact",
        data: {
          cID: CID,
          identifiers: { email: ["ada@example.com"], customer_id: ["17850"] },
          attributes: { plan: "gold" },
        },
      },
      { type: "list", data: { name: "vip", member: true } },
      { type: "order", data: { orderID: "o1" } },
      { type: "activity", data: { id: "r1", action: "browse", properties: { page: "/" } } },
      { type: "activity", data: { id: "r2" } },
      { type: "change", data: { path: "attributes.plan", value: "free" } },
    ]);
    expect(file.entries).toMatchObject({ contact: 1, list: 1, order: 1, activity: 2, change: 1, cart: 0 });
  });

  test("is one JSON object when that is asked for", async () => {
    const [file] = (await exported({ exportType: "json", destination: { type: "aws" } })).metadata.files;
    const { body } = await service.call(undefined, file.url);
    expect(body).toMatchObject({ contact: [{ cID: CID }], order: [{ orderID: "o1" }], cart: [], listChange: [] });
  });

  test("has no value of an attribute whose definition was deleted, nor of its past", async () => {
    const field = { contact: 1_000, kind: "string", text: "of before", number: null, at: storedTime(AT) };
    await service.insert("contact_fields_history", account, [
      { ...field, field: "attributes.gone", version: versionAt(AT) },
      { ...field, field: "attributes.gone", version: versionAt(AT + 2_000), text: "since" },
    ]);
    await service.postgres.transaction((transaction) =>
      insertAttributeClear(
        transaction,
        { account: account.number, key: "gone", version: versionAt(AT + 1_000) },
        "auto",
      ),
    );
    const [file] = (await exported()).metadata.files;
    const { text } = await service.call(undefined, file.url);
    expect(text).toContain('"value":"since"');
    expect(text).not.toContain("of before");
  });

  test("a profile that is written again after a kill is one file of the same name", async () => {
    const { jobId } = (await start(CID)).body;
    await workOff(service, jobId, folder);
    const before = readdirSync(join(folder, account.id)).length;
    await service.postgres.execute({ text: "UPDATE jobs SET status = 'Processing' WHERE id = $1" }, [jobId]);
    await workOff(service, jobId, folder);
    expect(readdirSync(join(folder, account.id)).length).toBe(before);
    expect((await job(jobId)).metadata.files.length).toBe(1);
  });

  test("of a contact that is merged while it is written holds what is the survivor's", async () => {
    const cids = ["65f0c0ffee65f0c0ffee0005", "65f0c0ffee65f0c0ffee0006"] as const;
    const { postgres } = service;
    await seedContacts(postgres, account, [
      { number: 5_000, cid: cids[0] },
      { number: 6_000, cid: cids[1] },
    ]);
    await seedOrders(postgres, account, [{ orderId: "o6", contact: 6_000, purchasedAt: AT }]);
    const { jobId } = (await start(cids[1])).body;
    // ClickHouse has all of it: the open transaction would be waited for.
    const toWrite = `UPDATE jobs SET progress = '{"phase": "write", "complete": true}' WHERE id = $1`;
    await postgres.execute({ text: toWrite }, [jobId]);
    const locks = "SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass";
    const waiting = () => postgres.query<{ n: number }>({ text: locks });
    const { working } = await postgres.transaction(async (transaction) => {
      await transaction.execute({ text: "LOCK TABLE orders" });
      const working = workOff(service, jobId, folder);
      await expect.poll(waiting).toEqual([{ n: 1 }]);
      await transaction.execute({ text: "UPDATE contacts SET merged_into = 5000 WHERE number = 6000" });
      await transaction.execute({ text: "UPDATE orders SET contact = 5000 WHERE contact = 6000" });
      return { working };
    });
    await working;
    const [file] = (await job(jobId)).metadata.files;
    const { text } = await service.call(undefined, file.url);
    expect([text.includes(cids[0]), text.includes('"o6"')]).toEqual([true, true]);
  });

  test("is refused for an unknown contact, a destination outside, and a key that may not read contacts", async () => {
    expect(await start("email:nobody@example.com")).toMatchObject({
      status: 404,
      body: { code: "CONTACTS_CONTACT_NOT_FOUND" },
    });
    const outside = await start(CID, { destination: { type: "sftp", server: "files.example.com" } });
    expect(outside).toMatchObject({ status: 422, body: { code: "EXPORT_CONFIGURATION_ERROR" } });
    for (const [body, at] of [
      [{ exportType: "csv" }, { path: "/exportType", code: "bad_value", allowed: ["json", "jsonl"] }],
      [{ destinaton: {} }, { path: "/destinaton", code: "unknown_field", allowed: ["destination", "exportType"] }],
    ] as const) {
      const refused = { code: "EXPORT_CONFIGURATION_ERROR", details: [at] };
      expect(await start(CID, body)).toMatchObject({ status: 422, body: refused });
    }
    const other = await service.key(account, { scopes: ["orders:read"] });
    expect(await start(CID, {}, other)).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE" } });
    const { key: theirs } = await service.account();
    expect(await start(CID, {}, theirs)).toMatchObject({ status: 404 });
  });
});

describe("a file", () => {
  test("is given in ranges", async () => {
    const [{ url, bytes }] = (await exported()).metadata.files;
    const { text: whole } = await service.call(undefined, url);
    const range = (header: string) => service.call(undefined, url, { headers: { range: header } });
    expect(await range("bytes=5-14")).toMatchObject({
      status: 206,
      text: whole.slice(5, 15),
      headers: { "content-range": `bytes 5-14/${bytes}`, "content-length": "10", "accept-ranges": "bytes" },
    });
    expect((await range("bytes=-4")).text).toBe(whole.slice(-4));
    expect(await range(`bytes=${bytes}-`)).toMatchObject({
      status: 416,
      body: { code: "RANGE_NOT_SATISFIABLE" },
      headers: { "content-range": `bytes */${bytes}` },
    });
  });

  test("needs the link as it was signed", async () => {
    const [{ url, id }] = (await exported()).metadata.files;
    for (const wrong of [url.replace(/signature=./, "signature=!"), url.replace("expires=", "expires=1")]) {
      expect(await service.call(undefined, wrong)).toMatchObject({
        status: 401,
        body: { code: "AUTHENTICATION_FAILED" },
      });
    }
    expect(await service.call(undefined, `/v2/files/${id}`)).toMatchObject({ status: 401 });
    expect(await service.call(key, `/v2/files/${id}`)).toMatchObject({ status: 403 });
    const reader = await service.key(account, { scopes: ["files:read"] });
    expect(await service.call(reader, `/v2/files/${id}`)).toMatchObject({ status: 200 });
    const { key: theirs } = await service.account();
    expect(await service.call(theirs, `/v2/files/${id}`)).toMatchObject({ status: 404 });
  });

  test("is kept for 30 days, and then its link finds nothing", async () => {
    const [{ url, id }] = (await exported()).metadata.files;
    const ports = { postgres: service.postgres, files: createFileStore({ folder }) };
    const DAY_MS = 86_400_000;
    await deleteOldJobs(ports, Date.now() + 29 * DAY_MS);
    expect((await service.call(undefined, url)).status).toBe(200);
    await deleteOldJobs(ports, Date.now() + 31 * DAY_MS);
    expect(await service.call(undefined, url)).toMatchObject({ status: 404, body: { code: "RECORD_NOT_FOUND" } });
    expect(readdirSync(join(folder, account.id))).not.toContain(id);
  });
});
