import { isFinalJob } from "@headwater/contracts";
import { expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
let caller: Caller;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("data jobs");
});

const SOON = { timeout: 60_000, interval: 5 };
const MINUTES = { timeout: 180_000, interval: 200 };

async function upload(text: string) {
  const { serviceUrl, apiKey } = caller.connection;
  const answer = await fetch(`${serviceUrl}/v2/uploads?name=rows.jsonl`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` },
    body: text,
  });
  const { url } = Object(await answer.json());
  return { transport: "file", path: url };
}

async function create(key: string, more: object): Promise<void> {
  const created = await caller.post("/v2/datajobs", { key, name: key, kind: "oneTime", apiTrigger: true, ...more });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
}

async function trigger(key: string) {
  const { body } = await caller.post(`/v2/datajobs/${key}/trigger`, {});
  return { run: String(body.dabID), jobId: String(body.jobIds[0]) };
}

const job = async (id: string) => (await caller.get(`/v2/jobs/${id}`)).body;
const stats = async (run: string) => (await caller.get(`/v2/datajobs/${run}/stats`)).body;
const toLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");

async function ended(id: string) {
  await vi.waitFor(async () => expect(isFinalJob((await job(id)).status)).toBe(true), MINUTES);
  return job(id);
}

const people = {
  each: "=people",
  to: {
    "identifiers.email": "=mail",
    "attributes.score": "=score",
    "attributes.shop": "=$.shop",
    canBeCreated: true,
    canBeUpdated: true,
  },
};

test("a transform is applied as if it were sent to intake, and its receipt tracks it", async () => {
  await create("people", { mapping: people, target: { type: "contacts" } });
  const body = { shop: "north", people: [{ mail: "tom@example.com", score: 4 }, { score: 5 }] };
  const done = await caller.post("/v2/datajobs/people/transform", body);
  expect(done).toMatchObject({ status: 200, body: { accepted: 1, rejected: 1, items: [{ index: 1 }] } });
  expect(await caller.settled(done.body.receipt)).toMatchObject({ state: "applied", records: { applied: 1 } });
  const contact = await caller.read("/v2/contacts/tom%40example.com", done.body.receipt);
  expect(contact.body.attributes).toMatchObject({ score: 4, shop: "north" });
});

test("a run whose worker is killed in the middle applies each record once, and its numbers are those of its records", {
  timeout: 2 * MINUTES.timeout,
}, async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    shop: `s${n}`,
    people: [
      { mail: `r${n}a@example.com`, score: n },
      { mail: n % 1_000 === 0 ? "" : `r${n}b@example.com`, score: -n },
    ],
  }));
  await create("rows", { source: await upload(toLines(rows)), mapping: people, target: { type: "contacts" } });
  const { run, jobId } = await trigger("rows");
  await vi.waitFor(async () => expect((await job(jobId)).completedItems).toBeGreaterThan(0), SOON);
  await stack.killWorker();
  expect(await ended(jobId)).toMatchObject({ status: "Done", totalItems: 6_000, completedItems: 6_000 });
  expect(await stats(run)).toMatchObject({
    dabId: run,
    run: { status: "completed" },
    stats: { total_queued: 6_000, total_processed: 6_000, total_failures: 3, total_successful: 5_997 },
  });
  const rejections = (await caller.get(`/v2/jobs/${jobId}/rejections`)).body.data;
  expect(rejections).toHaveLength(3);
  expect(rejections[1]).toMatchObject({ index: 2_001, line: 1_001, path: "/identifiers/email" });
  const text = "SELECT count(*) AS count FROM contacts WHERE account = $1";
  const [counted] = await stack.postgres.query<{ count: number }>({ text }, [caller.account]);
  expect(counted?.count).toBe(5_998);
  const { body: contact } = await caller.get("/v2/contacts/r7b%40example.com");
  expect(contact.attributes).toMatchObject({ score: -7, shop: "s7" });
  const { body: accounting } = await caller.get("/v2/accounting");
  expect(accounting.balanced).toBe(true);
});

test("a run of an export writes what was made to files with a manifest, each record once after a kill", {
  timeout: 2 * MINUTES.timeout,
}, async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => ({ n, text: "x".repeat(100) }));
  const mapping = { when: "=n != `7`", to: { id: "=n", text: "=text" } };
  await create("files", { source: await upload(toLines(rows)), mapping, target: { type: "export" } });
  const { run, jobId } = await trigger("files");
  await vi.waitFor(async () => expect((await job(jobId)).status).toBe("Processing"), SOON);
  await stack.killWorker();
  const done = await ended(jobId);
  expect(done).toMatchObject({ status: "Done", result: { totalRecords: 11_999, inserted: 11_999 } });
  const link = async ({ url }: { readonly url: string }) =>
    (await fetch(new URL(url, caller.connection.serviceUrl))).text();
  const [file] = done.metadata.files;
  const lines = (await link(file)).trimEnd().split("\n");
  expect(lines).toHaveLength(11_999);
  expect(JSON.parse(lines[7] ?? "")).toEqual({ id: 8, text: "x".repeat(100) });
  expect(JSON.parse(await link(done.metadata.manifest))).toMatchObject({ rows: 11_999, files: [{ rows: 11_999 }] });
  expect((await stats(run)).stats).toMatchObject({ total_exported: 11_999, total_failures: 0 });
});

test("an erasure deletes the stored files of runs that name the person", { timeout: MINUTES.timeout }, async () => {
  const known = await caller.send("upsertContact", {
    ...{ identifiers: { email: "gone@example.com" }, attributes: { a: 1 }, canBeCreated: true },
  });
  await caller.settled(known);
  const mapping = { to: { mail: "=mail" } };
  const filed = async (key: string, mail: string) => {
    await create(key, { source: await upload(toLines([{ mail }])), mapping, target: { type: "export" } });
    return ended((await trigger(key)).jobId);
  };
  const [gone, other] = [await filed("gone", "gone@example.com"), await filed("other", "other@example.com")];
  const erased = await caller.delete("/v2/contacts/gone%40example.com");
  await ended(erased.body.jobId);
  const status = async ({ url }: { readonly url: string }) =>
    (await fetch(new URL(url, caller.connection.serviceUrl))).status;
  expect(await status(gone.metadata.files[0])).toBe(404);
  expect((await job(gone.id)).metadata.files).toMatchObject([{ erased: true }]);
  expect(await status(other.metadata.files[0])).toBe(200);
});

test("a run writes products, and one of a mapping that holds its process fails with the line", {
  timeout: MINUTES.timeout,
}, async () => {
  const rows = [{ id: "p1", name: "Heart" }, { name: "Nameless" }, { id: "p2", name: "Cake stand" }];
  const mapping = { to: { productID: "=id", productName: "=name" } };
  await create("goods", { source: await upload(toLines(rows)), mapping, target: { type: "products" } });
  const goods = await trigger("goods");
  expect(await ended(goods.jobId)).toMatchObject({ status: "Done", result: { inserted: 2, rejected: 1 } });
  expect((await caller.get("/v2/products/p2")).body).toMatchObject({ productName: "Cake stand" });
  const held = { to: { id: `=to_string(@${" | [@, @]".repeat(60)})` } };
  await create("held", { source: await upload(toLines(rows)), mapping: held, target: { type: "products" } });
  const failed = await ended((await trigger("held")).jobId);
  expect(failed).toMatchObject({ status: "Failed", metadata: { error: { code: "VALIDATION_ERROR" } } });
  expect(failed.metadata.error.message).toMatch(/^Line 1: /);
});

test("a run that is canceled writes no more, and counts what is in the log", { timeout: MINUTES.timeout }, async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    shop: "c",
    people: [{ mail: `c${n}@example.com`, score: n }],
  }));
  await create("canceled", { source: await upload(toLines(rows)), mapping: people, target: { type: "contacts" } });
  const { run, jobId } = await trigger("canceled");
  await vi.waitFor(async () => expect((await job(jobId)).completedItems).toBeGreaterThan(0), SOON);
  expect((await caller.put(`/v2/jobs/${jobId}/cancel`)).status).toBe(200);
  await vi.waitFor(async () => expect((await job(jobId)).metadata).not.toHaveProperty("counting"), MINUTES);
  const numbers = await stats(run);
  expect(numbers.run.status).toBe("cancelled");
  expect(numbers.stats.total_processed).toBe(numbers.stats.total_queued);
  expect((await trigger("canceled")).run).not.toBe(run);
});
