import { versionOf } from "@headwater/contracts";
import { type RejectRow, upsertRejects } from "@headwater/stores/deadLetters";
import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const service = serveService(["deadletters"]);
const { send } = service;
const NONE = "VbZsDdSkFIHQqU5ESHo7:9:0";

/** Stores a refused record, as the projector does. */
async function letter(place: number): Promise<string> {
  const id = `VbZsDdSkFIHQqU5ESHo7:${place}:0`;
  const row: RejectRow = {
    account: service.account.number,
    recordId: id,
    requestId: "VbZsDdSkFIHQqU5ESHo7",
    operation: "upsertContact",
    topic: "intake.records",
    partition: 0,
    logOffset: place,
    place: 0,
    itemIndex: 0,
    status: "open",
    code: "CONTACTS_CONTACT_NOT_FOUND",
    path: "/identifiers",
    message: "No contact has one of these identifiers, and `canBeCreated` is not set.",
    payload: JSON.stringify({ id, receivedAt: 1, contact: { identifiers: { email: "ann@example.com" } } }),
    version: versionOf(1, { lane: 1, partition: 0, offset: place, place: 0 }),
    receivedAt: 1,
    rejectedAt: 1,
    attempts: 0,
    dueAt: null,
  };
  await service.postgres.transaction((transaction) => upsertRejects(transaction, [row]));
  return id;
}

test("a letter is listed, shown and discarded", async () => {
  const id = await letter(1);
  expect(await send("listDeadletters")).toMatchObject({ status: 200, body: { data: [{ id }] } });
  expect(await send("getDeadletter", { params: { id } })).toMatchObject({ status: 200, body: { id } });
  expect((await send("discardDeadletters", { body: { select: { ids: [id] }, reason: "a test" } })).status).toBe(200);
});

test("letters are counted before a redrive, and redriven by a job", async () => {
  const id = await letter(2);
  const body = { select: { ids: [id] } };
  expect((await send("redriveDeadletters", { body: { ...body, dryRun: true } })).status).toBe(200);
  expect((await send("redriveDeadletters", { body })).status).toBe(202);
});

test("getDeadletter answers 404 for an unknown id", async () => {
  expect((await send("getDeadletter", { params: { id: NONE } })).status).toBe(404);
});

test.each([
  ["redriveDeadletters", { select: { ids: [NONE] } }],
  ["discardDeadletters", { select: { ids: [NONE] }, reason: "a test" }],
])("%s answers 404 for letters that are not there", async (operation, body) => {
  expect((await send(operation, { body })).status).toBe(404);
});
