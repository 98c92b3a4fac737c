import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const NO_LIST = 99;
/** Patch for a record that names a list which does not exist. */
const toNewList = [
  { op: "remove", path: "/listId" },
  { op: "add", path: "/listName", value: "mended" },
];
const emailOf = (index: number) => ({ email: `p${index}@x.org` });

/** One item for a list that does not exist: each of its contacts is a record that is rejected. */
async function sendToNoList(caller: Caller, contacts: number): Promise<string> {
  const identifiers = Array.from({ length: contacts }, (_none, index) => emailOf(index));
  const receipt = await caller.send("addContactsToList", { identifiers, listId: NO_LIST, canBeCreated: true });
  expect(await caller.settled(receipt)).toMatchObject({ state: "rejected", records: { rejected: contacts } });
  return receipt;
}

async function redrive(caller: Caller, request: object): Promise<string> {
  const { status, body } = await caller.post("/v2/deadletters/redrive", request);
  expect(status).toBe(202);
  return body.jobId;
}

/** Ends the time for which the killed projector had the redrive to itself. */
function endLease({ account }: Caller) {
  return stack.postgres.execute({ text: "UPDATE redrives SET lease_until = NULL WHERE account = $1" }, [account]);
}

/** The job when it is done. */
async function finished(caller: Caller, jobId: string) {
  const job = async () => (await caller.get(`/v2/jobs/${jobId}`)).body;
  await expect.poll(async () => (await job()).status, { timeout: 100_000, interval: 250 }).toBe("Done");
  return job();
}

test("a rejected record is listed, mended by a patch, written again and applied once, and every step can be followed", async () => {
  const caller = await stack.caller("letters");
  const sent = await sendToNoList(caller, 1);

  const { body: listed } = await caller.get("/v2/deadletters");
  expect(listed.data).toMatchObject([
    {
      operation: "addContactsToList",
      code: "ACCOUNT_LISTS_NOT_FOUND",
      payload: { identifiers: [emailOf(0)], listId: NO_LIST, canBeCreated: true },
      status: "open",
    },
  ]);
  const { id } = listed.data[0];
  const { body: causes } = await caller.get("/v2/deadletters?group=code");
  expect(causes.data).toMatchObject([{ code: "ACCOUNT_LISTS_NOT_FOUND", count: 1, sampleId: id }]);

  const request = { select: { ids: [id] }, patch: toNewList };
  const trial = await caller.post("/v2/deadletters/redrive", { ...request, dryRun: true });
  expect(trial).toMatchObject({ status: 200, body: { wouldPass: 1, wouldFail: [] } });

  const jobId = await redrive(caller, request);
  const job = await finished(caller, jobId);
  expect(job).toMatchObject({ totalItems: 1, completedItems: 1, result: { updated: 1, rejected: 0 } });
  const { receipt } = job.metadata;
  expect(await caller.settled(receipt)).toMatchObject({ state: "applied", records: { applied: 1 }, rejections: [] });
  const contact = await caller.read("/v2/contacts/email:p0@x.org", receipt);
  expect(contact).toMatchObject({ status: 200, body: { lists: ["mended"] } });

  expect(await caller.settled(sent)).toMatchObject({ state: "rejected", records: { rejected: 1, applied: 0 } });
  const deadLetter = await caller.get(`/v2/deadletters/${encodeURIComponent(id)}`);
  expect(deadLetter.body).toMatchObject({
    status: "redriven",
    jobId,
    history: [{ what: "rejected" }, { what: "redriven" }, { what: "applied", by: jobId }],
  });

  const again = await finished(caller, await redrive(caller, request));
  expect(again).toMatchObject({ totalItems: 0, completedItems: 0 });
  expect(await caller.count({ list: "mended", op: "in" }, receipt)).toBe(1);
  const accounting = await caller.read("/v2/accounting", receipt);
  expect(accounting.body).toMatchObject({
    data: [{ operation: "addContactsToList", accepted: 2, applied: 1, rejected: 1 }],
    balanced: true,
  });
});

test("a projector killed in the middle of a redrive loses none of it and doubles none of it", async () => {
  const contacts = 1_000;
  const caller = await stack.caller("killed");
  await sendToNoList(caller, contacts);
  const jobId = await redrive(caller, { select: { operation: "addContactsToList" }, patch: toNewList });
  const taken = async () => (await caller.get("/v2/deadletters?per_page=1&return_count=true")).body.pagination.total;
  await expect.poll(taken, { timeout: 30_000, interval: 10 }).toBeLessThan(contacts);
  stack.killProjector();
  await endLease(caller);
  const job = await finished(caller, jobId);
  expect(job).toMatchObject({ totalItems: contacts, result: { updated: contacts, rejected: 0, ignored: 0 } });
  expect(await caller.count({ list: "mended", op: "in" }, job.metadata.receipt)).toBe(contacts);
  const accounting = await caller.read("/v2/accounting", job.metadata.receipt);
  expect(accounting.body).toMatchObject({ data: [{ applied: contacts, rejected: contacts }], balanced: true });
  const freshness = async () => (await caller.get("/v2/freshness")).body.data;
  await expect.poll(freshness, { timeout: 30_000 }).toContainEqual({
    topic: "intake.records",
    group: "accounting",
    records: 0,
    seconds: 0,
  });
});
