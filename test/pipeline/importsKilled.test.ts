import { expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
let caller: Caller;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("imports");
});

const MINUTE = { timeout: 60_000, interval: 200 };
const SOON = { timeout: 60_000, interval: 5 };
/** More than a worker writes in one step. */
const ROWS = 16_000;
const REPEATED = 100;

async function upload(text: string, name: string): Promise<string> {
  const { serviceUrl, apiKey } = caller.connection;
  const answer = await fetch(`${serviceUrl}/v2/uploads?name=${name}`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` },
    body: text,
  });
  const { url } = Object(await answer.json());
  expect(answer.status).toBe(201);
  return url;
}

async function start(path: string, body: object): Promise<string> {
  const answer = await caller.post(path, body);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer.body.jobId;
}
const job = async (id: string) => (await caller.get(`/v2/jobs/${id}?include=statistic`)).body;

test("an import whose worker is killed in the middle applies each row once, in order, and never over a later write", {
  timeout: 4 * MINUTE.timeout,
}, async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => `p${n}@example.com,${n},Person ${n}`);
  // The same contacts once more at the end: their last row holds.
  const again = Array.from({ length: REPEATED }, (_, n) => `p${n}@example.com,${n + 1_000_000},Later ${n}`);
  const wrong = ["nobody,1,2,3", ",5,No address"];
  const csv = ["email,score,first_name", ...rows, ...wrong, ...again].join("\n");
  const path = await upload(csv, "people.csv");
  const jobId = await start("/v2/contactimports", { source: { transport: "file", path }, hasHeader: true });
  await vi.waitFor(async () => expect((await job(jobId)).completedItems).toBeGreaterThan(0), SOON);
  await stack.killWorker();
  const receipt = await caller.send("upsertContact", {
    identifiers: { email: "p500@example.com" },
    attributes: { first_name: "Live" },
    canBeUpdated: true,
  });
  await caller.settled(receipt);
  await vi.waitFor(async () => expect((await job(jobId)).status).toBe("Done"), {
    ...MINUTE,
    timeout: 3 * MINUTE.timeout,
  });
  const done = await job(jobId);
  const total = ROWS + REPEATED + wrong.length;
  expect(done).toMatchObject({
    totalItems: total,
    completedItems: total,
    result: { totalRecords: total, inserted: ROWS, updated: REPEATED, rejected: wrong.length, error: 0, ignored: 0 },
  });
  const { body: rejections } = await caller.get(`/v2/jobs/${jobId}/rejections`);
  expect(rejections.data).toMatchObject([
    { index: ROWS, line: ROWS + 2, code: "VALIDATION_ERROR" },
    { index: ROWS + 1, line: ROWS + 3, record: { email: "", score: "5", first_name: "No address" } },
  ]);
  const live = await caller.get("/v2/contacts/p500%40example.com");
  expect(live.body.attributes).toMatchObject({ first_name: "Live", score: 500 });
  const later = await caller.get("/v2/contacts/p7%40example.com");
  expect(later.body.attributes).toMatchObject({ first_name: "Later 7", score: 1_000_007 });
  const { body: accounting } = await caller.get("/v2/accounting");
  expect(accounting.balanced).toBe(true);
});

test("an import that is canceled when its worker was killed counts what that one wrote and did not report", {
  timeout: 4 * MINUTE.timeout,
}, async () => {
  const { count: before } = await contacts();
  const rows = Array.from({ length: ROWS }, (_, n) => `q${n}@example.com,${n}`);
  const path = await upload(["email,score", ...rows].join("\n"), "canceled.csv");
  const jobId = await start("/v2/contactimports", { source: { transport: "file", path }, hasHeader: true });
  await vi.waitFor(async () => expect((await contacts()).count).toBeGreaterThan(before), SOON);
  await stack.killWorker();
  expect(await caller.put(`/v2/jobs/${jobId}/cancel`)).toMatchObject({ status: 200, body: { status: "Canceled" } });
  await vi.waitFor(async () => expect((await job(jobId)).metadata).not.toHaveProperty("counting"), {
    ...MINUTE,
    timeout: 3 * MINUTE.timeout,
  });
  const inserted = (await contacts()).count - before;
  expect(await job(jobId)).toMatchObject({
    status: "Canceled",
    completedItems: inserted,
    result: { totalRecords: inserted, inserted, rejected: 0, error: 0 },
  });
});

async function contacts(): Promise<{ readonly count: number }> {
  const text = "SELECT count(*) AS count FROM contacts WHERE account = $1";
  const [row] = await stack.postgres.query<{ count: number }>({ text }, [caller.account]);
  return row ?? { count: 0 };
}
