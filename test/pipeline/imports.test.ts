import { readFileSync } from "node:fs";
import { isFinalJob } from "@headwater/contracts";
import { describe, expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const basic = ({ key }: Caller) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`;

async function upload(caller: Caller, bytes: string | Uint8Array): Promise<string> {
  const answer = await fetch(`${caller.connection.serviceUrl}/v2/uploads`, {
    method: "POST",
    headers: { authorization: basic(caller) },
    body: typeof bytes === "string" ? bytes : Uint8Array.from(bytes),
  });
  return Object(await answer.json()).url;
}

async function ended(caller: Caller, path: string, body: object): Promise<ReturnType<typeof JSON.parse>> {
  const started = await caller.post(`/v2/${path}`, body);
  if (started.status !== 202) throw new Error(JSON.stringify(started.body));
  const job = async () => (await caller.get(`/v2/jobs/${started.body.jobId}`)).body;
  await vi.waitFor(async () => expect(isFinalJob((await job()).status)).toBe(true), {
    timeout: 60_000,
    interval: 100,
  });
  return job();
}

async function imported(caller: Caller, path: string, bytes: string | Uint8Array, more: object = {}) {
  const source = { transport: "file", path: await upload(caller, bytes) };
  return ended(caller, path, { source, hasHeader: true, ...more });
}

const lines = (rows: readonly object[]) => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
const rejectionsOf = async (caller: Caller, { id }: { readonly id: string }) =>
  (await caller.get(`/v2/jobs/${id}/rejections`)).body.data;
const contactOf = async (caller: Caller, email: string) =>
  (await caller.get(`/v2/contacts/${encodeURIComponent(email)}`)).body;

// Tests run side by side, each in an account of its own: imports wait much.
describe.concurrent("an import of contacts", () => {
  test("counts the rows whose addresses are none, a dry run too, and stores them", async () => {
    const caller = await stack.caller("import addresses");
    const csv = [
      "email,phone,city",
      "ann@example.com,12,'=Graz",
      "nobody,+436601234567,Graz",
      "none,+436609876543,Linz",
      "none,n/a,Graz",
    ].join("\n");
    const invalidAddresses = { email: 2, phone: 1 };
    const trial = await imported(caller, "contactimports", csv, { dryRun: true });
    expect(trial).toMatchObject({ status: "Done", metadata: { invalidAddresses } });
    const done = await imported(caller, "contactimports", csv);
    const markedTexts = { city: 1 };
    expect(done).toMatchObject({ result: { inserted: 3, rejected: 1 }, metadata: { invalidAddresses, markedTexts } });
    expect(done.metadata).not.toHaveProperty("ignoredMembers");
    const nobody = await contactOf(caller, "phone:+436601234567");
    expect(nobody).toMatchObject({
      channels: { email: { address: "nobody", valid: false } },
      attributes: { city: "Graz" },
    });
    const none = await contactOf(caller, "phone:+436609876543");
    expect(none).toMatchObject({
      channels: { email: { address: "none", valid: false } },
      attributes: { city: "Linz" },
    });
    expect(await rejectionsOf(caller, done)).toMatchObject([{ line: 5, code: "VALIDATION_ERROR", path: "/email" }]);
    expect((await caller.get("/v2/contacts/email:none")).status).toBe(404);
  });

  test("reads columns by mapping and by name, lists, markers and empty cells", async () => {
    const caller = await stack.caller("import columns");
    const csv = [
      'E-mail;town;attributes.score;lists.vip;news;nick;"Internal"',
      "Ann@Example.com;Berlin;7;1;true;Annie;x",
      "bob@example.com;;8;0;0;NULL;x",
      ";Rome;1;1;1;Nobody;x",
      "cay@example.com;Rome;1;maybe;1;Cay;x",
      "dee@example.com;Rome",
    ].join("\r\n");
    const options = {
      mapping: { "E-mail": "email", town: "home.town", news: "lists.news", Internal: null },
      nullMarker: "NULL",
      lists: { addTo: ["everybody"] },
    };
    const trial = await imported(caller, "contactimports", csv, { ...options, dryRun: true });
    expect(trial).toMatchObject({
      status: "Done",
      result: { totalRecords: 5, inserted: 2, updated: 0, ignored: 0, rejected: 3, error: 0 },
      metadata: {
        dryRun: true,
        newAttributes: ["home.town", "score", "nick"],
        newLists: expect.arrayContaining(["vip", "news", "everybody"]),
        preview: [
          { index: 0, verdict: "inserted", match: "new", record: { "E-mail": "Ann@Example.com" } },
          { index: 1, verdict: "inserted", match: "new" },
          { index: 2, verdict: "rejected" },
          { index: 3, verdict: "rejected" },
          { index: 4, verdict: "rejected" },
        ],
      },
    });
    expect((await caller.get("/v2/contacts/ann%40example.com")).status).toBe(404);
    expect((await caller.get("/v2/accountlists")).body.data ?? []).toEqual([]);
    const done = await imported(caller, "contactimports", csv, options);
    expect(done).toMatchObject({
      status: "Done",
      totalItems: 5,
      completedItems: 5,
      result: { totalRecords: 5, inserted: 2, updated: 0, ignored: 0, rejected: 3, error: 0 },
    });
    expect(await rejectionsOf(caller, done)).toMatchObject([
      { index: 2, line: 4, code: "VALIDATION_ERROR" },
      { index: 3, line: 5, path: "/lists.vip", record: { "lists.vip": "maybe" } },
      { index: 4, line: 6 },
    ]);
    expect((await contactOf(caller, "ann@example.com")).attributes).toMatchObject({
      ...{ "home.town": "Berlin", score: 7, nick: "Annie" },
    });
    const bob = await contactOf(caller, "bob@example.com");
    expect(bob.attributes).not.toHaveProperty(["home.town"]);
    expect(bob.attributes).not.toHaveProperty("nick");
    expect(JSON.stringify(bob.lists)).toContain("everybody");
    expect(JSON.stringify(bob.lists)).not.toContain("news");
    // The same once more changes nothing.
    expect((await imported(caller, "contactimports", csv, options)).result).toMatchObject({ inserted: 0, ignored: 2 });
  });

  test("keeps to its strategy, and stops after too many rejections with its counts whole", async () => {
    const caller = await stack.caller("import strategies");
    const first = await imported(caller, "contactimports", "email,score\na@x.example,1\nb@x.example,1\n");
    expect(first.result).toMatchObject({ inserted: 2 });
    const rows = "email,score\na@x.example,2\nc@x.example,2\n";
    const inserts = await imported(caller, "contactimports", rows, { strategy: "insertOnly" });
    expect(inserts.result).toMatchObject({ inserted: 1, updated: 0, ignored: 1, rejected: 0 });
    const updates = await imported(caller, "contactimports", `${rows}d@x.example,2\n`, { strategy: "updateOnly" });
    expect(updates.result).toMatchObject({ inserted: 0, updated: 1, ignored: 2, rejected: 0 });
    expect((await contactOf(caller, "a@x.example")).attributes.score).toBe(2);
    expect((await caller.get("/v2/contacts/d%40x.example")).status).toBe(404);
    const wrong = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? ",1" : `s${n}@x.example,1`)).join("\n");
    const stopped = await imported(caller, "contactimports", `email,score\n${wrong}\n`, { stopAfterRejections: 5 });
    expect(stopped).toMatchObject({
      status: "Failed",
      metadata: { error: { message: expect.stringMatching(/More than 5/) } },
    });
    const { totalRecords, inserted, updated, ignored, rejected, error } = stopped.result;
    expect(inserted + updated + ignored + rejected + error).toBe(totalRecords);
    expect((await rejectionsOf(caller, stopped)).length).toBe(rejected);
    const closed = await imported(caller, "contactimports", "email,brand_new\nz@x.example,1\n", {
      createAttributes: false,
    });
    expect(closed).toMatchObject({
      status: "Failed",
      metadata: { error: { message: expect.stringMatching(/brand_new/) } },
    });
    const closedLines = await imported(
      caller,
      "contactimports",
      lines([
        { email: "z@x.example", brand_new: 1 },
        { email: "a@x.example", score: 3 },
      ]),
      { createAttributes: false },
    );
    expect(closedLines.result).toMatchObject({ updated: 1, rejected: 1 });
  });
});

describe.concurrent("a canceled import", () => {
  test("goes on counting what it wrote, until each row has its end", async () => {
    const caller = await stack.caller("canceled import");
    const rows = Array.from({ length: 40_000 }, (_, n) => (n % 1_000 === 999 ? ",x" : `c${n}@x.example,x`));
    const path = await upload(caller, `email,s1\n${rows.join("\n")}\n`);
    const body = { source: { transport: "file", path }, hasHeader: true };
    const { jobId } = (await caller.post("/v2/contactimports", body)).body;
    const job = async () => (await caller.get(`/v2/jobs/${jobId}`)).body;
    await vi.waitFor(async () => expect((await job()).result.inserted).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 20,
    });
    expect(await caller.put(`/v2/jobs/${jobId}/cancel`)).toMatchObject({ status: 200, body: { status: "Canceled" } });
    expect((await job()).status).toBe("Canceled");
    await vi.waitFor(async () => expect((await job()).metadata).not.toHaveProperty("counting"), {
      timeout: 60_000,
      interval: 100,
    });
    const done = await job();
    const { totalRecords, inserted, rejected } = done.result;
    const text = "SELECT count(*) AS count FROM contacts WHERE account = $1";
    const [stored] = await stack.postgres.query<{ count: number }>({ text }, [caller.account]);
    expect(done).toMatchObject({ status: "Canceled", completedItems: inserted + rejected, totalItems: totalRecords });
    expect([inserted + rejected, stored?.count]).toEqual([totalRecords, inserted]);
    expect(totalRecords).toBeLessThan(rows.length);
  });
});

describe.concurrent("an import of activities", () => {
  test("adds each activity once, at its own time, whoever imports the file again", async () => {
    const caller = await stack.caller("import activities");
    const file = [
      "E-Mail,action,time,UID,page",
      "ann@example.com,visit,2025-03-01T10:00:00Z,v1,Home",
      "ann@example.com,visit,2025-03-02,,Shoes",
      "bob@example.com,purchase,2025-03-03T10:00:00Z,v3,",
      "bob@example.com,message-sent,2025-03-03T10:00:00Z,v4,",
      "nobody@example.com,visit,2025-03-03T10:00:00Z,v5,",
    ].join("\n");
    await caller.settled(
      await caller.send("upsertContact", {
        ...{ identifiers: { email: "ann@example.com" }, attributes: { a: 1 }, canBeCreated: true },
      }),
    );
    await imported(caller, "contactimports", "email\nbob@example.com\n");
    const first = await imported(caller, "activityimports", file);
    expect(first.result).toMatchObject({ totalRecords: 5, inserted: 3, ignored: 0, rejected: 2, error: 0 });
    expect(
      (await rejectionsOf(caller, first)).map(({ line, code }: { line: number; code: string }) => [line, code]),
    ).toEqual([
      [5, "RESERVED_ACTION"],
      [6, "CONTACTS_CONTACT_NOT_FOUND"],
    ]);
    const again = await imported(caller, "activityimports", file);
    expect(again.result).toMatchObject({ totalRecords: 5, inserted: 0, ignored: 3, rejected: 2, error: 0 });
    const count = async (criteria: object) => (await caller.post("/v2/audiencecount", criteria)).body.count;
    await vi.waitFor(
      async () => {
        expect(
          await count({
            event: "visit",
            within: { from: "2025-03-01", to: "2025-03-03" },
            count: { op: "eq", value: 2 },
          }),
        ).toBe(1);
        expect(await count({ event: "purchase", within: { from: "2025-03-03", to: "2025-03-04" } })).toBe(1);
      },
      { timeout: 60_000, interval: 200 },
    );
  });
});

const guide = readFileSync(new URL("../../docs/records.md", import.meta.url), "utf8");

describe.concurrent("an import of orders and of records", () => {
  test("stores the same order as intake and /v2, in the shapes that the guide shows", async () => {
    const caller = await stack.caller("shapes of an order");
    const section = guide.slice(guide.indexOf("## An order in its three shapes"));
    const [nested, flat] = [...section.matchAll(/```json\n([^`]*)```/g)].map(([, text = ""]) => JSON.parse(text));
    const receipt = await caller.send("upsertOrder", nested);
    expect(await caller.settled(receipt, 30)).toMatchObject({ records: { applied: 1 } });
    const second = await caller.write("/v2/orders", { ...flat, orderID: "A-1002" });
    expect(second.status).toBe(201);
    expect((await caller.write("/v2/orders", flat)).status).toBe(422);
    const third = await imported(caller, "ordersimport", lines([{ ...flat, orderID: "A-1003" }]), {
      hasHeader: undefined,
    });
    expect(third.result).toMatchObject({ inserted: 1 });
    const stored = async (id: string) => {
      const { body } = await caller.get(`/v2/orders/${id}`);
      return { ...body, orderID: "", lastModified: undefined };
    };
    const first = await stored("A-1001");
    expect(first).toMatchObject({ status: "paid", totalAmount: 15.3, totalComputed: true });
    expect([await stored("A-1002"), await stored("A-1003")]).toEqual([first, first]);
    const unknown = { ...flat, orderID: "A-1004", email: "nobody@example.com" };
    expect((await caller.write("/v2/orders", unknown)).status).toBe(404);
  });

  test("takes the bodies of single calls, in the order of the file, by its strategy", async () => {
    const caller = await stack.caller("import orders");
    await caller.settled(
      await caller.send("upsertContact", {
        identifiers: { email: "ann@example.com" },
        attributes: { a: 1 },
        canBeCreated: true,
      }),
    );
    const order = (orderID: string, email: string, more: object = {}) => ({
      ...{ orderID, email, purchaseDate: "2026-01-09T22:47:12Z" },
      items: [{ productID: "p", sku: "p", name: "Heart", itemPrice: 2.55, qty: 2 }],
      ...more,
    });
    const file = lines([
      order("o1", "ann@example.com", { status: "open", storeId: "7" }),
      order("o2", "nobody@example.com"),
      order("o1", "ann@example.com", { status: "sent" }),
      { email: "ann@example.com" },
      { orderID: "o3", purchaseDate: "2026-01-09" },
    ]);
    const done = await imported(caller, "ordersimport", file, { hasHeader: undefined });
    expect(done.result).toMatchObject({ totalRecords: 5, inserted: 1, updated: 1, rejected: 3, error: 0 });
    expect(done.metadata.ignoredMembers).toEqual({ storeId: 1 });
    expect(
      (await rejectionsOf(caller, done)).map(({ line, code }: { line: number; code: string }) => [line, code]),
    ).toEqual([
      [2, "CONTACTS_CONTACT_NOT_FOUND"],
      [4, "VALIDATION_ERROR"],
      [5, "VALIDATION_ERROR"],
    ]);
    expect((await caller.get("/v2/orders/o1")).body).toMatchObject({ status: "sent", totalAmount: 5.1 });
    const only = await imported(caller, "ordersimport", file, {
      hasHeader: undefined,
      strategy: "insertOnly",
      canBeCreated: true,
    });
    expect(only.result).toMatchObject({ inserted: 1, updated: 0, ignored: 2, rejected: 2 });
    expect(
      await caller.write("/v2/supplements", {
        key: "cars",
        name: "Cars",
        indexes: [{ field: "model", type: "string" }],
      }),
    ).toMatchObject({ status: 201 });
    const cars = 'id,model,seats,tags\nc1,T,5,"[1,2]"\n,none,1,\nc1,S,5,\n';
    const records = await imported(caller, "supplements/cars/imports", cars);
    expect(records.result).toMatchObject({ totalRecords: 3, inserted: 1, updated: 1, rejected: 1 });
    expect((await caller.get("/v2/supplements/cars/records/c1")).body).toMatchObject({
      model: "S",
      seats: 5,
      tags: [1, 2],
    });
    expect((await caller.post("/v2/supplements/none/imports", { source: {} })).status).toBe(404);
  });
});
