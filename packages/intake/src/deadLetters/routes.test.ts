import type { RejectRow } from "@headwater/contracts";
import { versionOf } from "@headwater/contracts";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { upsertRejects } from "./rejects.ts";

const service = serveService(["deadletters"]);
const { send } = service;
const NONE = "VbZsDdSkFIHQqU5ESHo7:9:0";

/** Stores a refused record, as the projector does. */
async function deadLetter(position: number, more: Partial<RejectRow> = {}): Promise<string> {
  const id = `VbZsDdSkFIHQqU5ESHo7:${position}:0`;
  const row: RejectRow = {
    account: service.account.number,
    recordId: id,
    requestId: "VbZsDdSkFIHQqU5ESHo7",
    operation: "upsertContact",
    topic: "intake.records",
    partition: 0,
    logOffset: position,
    place: 0,
    itemIndex: 0,
    status: "open",
    code: "CONTACTS_CONTACT_NOT_FOUND",
    path: "/identifiers",
    message: "No contact has one of these identifiers, and `canBeCreated` is not set.",
    payload: JSON.stringify({ id, receivedAt: 1, contact: { identifiers: { email: "ann@example.com" } } }),
    version: versionOf(1, { lane: 1, partition: 0, offset: position, place: 0 }),
    receivedAt: 1,
    rejectedAt: 1,
    attempts: 0,
    dueAt: null,
    ...more,
  };
  await service.postgres.transaction((transaction) => upsertRejects(transaction, [row]));
  return id;
}

test("a letter is listed, shown and discarded", async () => {
  const id = await deadLetter(1);
  expect(await send("listDeadletters")).toMatchObject({ status: 200, body: { data: [{ id }] } });
  expect(await send("getDeadletter", { params: { id } })).toMatchObject({ status: 200, body: { id } });
  expect((await send("discardDeadletters", { body: { select: { ids: [id] }, reason: "a test" } })).status).toBe(200);
});

test("letters are counted before a redrive, and redriven by a job", async () => {
  const id = await deadLetter(2);
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

test("causes come in pages, with the members that are asked for", async () => {
  const operation = "upsertOrder";
  for (const [index, code] of ["A", "A", "B", "C"].entries()) await deadLetter(10 + index, { code, operation });
  const causes = async (query: string) => {
    const { status, body, headers } = await send("listDeadletters", {
      query: `?group=code&operation=${operation}&fields=code,count${query}`,
    });
    expect(status).toBe(200);
    return { data: body.data, pagination: body.pagination, link: headers.link };
  };
  const [a, b, c] = [
    { code: "A", count: 2 },
    { code: "B", count: 1 },
    { code: "C", count: 1 },
  ];
  const first = await causes("&per_page=2&return_count=true");
  expect(first.data).toEqual([a, b]);
  expect(first.pagination).toMatchObject({ per_page: 2, page: 1, total: 3, last_page: 2 });
  expect(first.link).toContain("group=code");
  expect(await causes(`&per_page=2&cursor=${first.pagination.next_cursor}`)).toMatchObject({
    data: [c],
    pagination: { per_page: 2, next_cursor: null },
  });
  expect((await causes("&per_page=2&page=2")).data).toEqual([c]);
  expect((await causes("&sort_dir=asc&per_page=1")).data).toEqual([c]);
  expect((await send("listDeadletters", { query: "?group=code&fields=payload" })).status).toBe(400);
  expect((await send("listDeadletters", { query: "?group=code&per_page=501" })).status).toBe(422);
});

test.each([
  ["2026-01-10", "2026-01-09"],
  ["2026-01-10", "2026-01-10T00:00:00Z"],
])("a range from %s to %s, in which nothing can be, is refused by list, redrive and discard", async (from, to) => {
  const refusedAt = (path: string) => ({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path, code: "out_of_range" }] },
  });
  for (const group of ["", "&group=code"]) {
    expect(await send("listDeadletters", { query: `?from=${from}&to=${to}${group}` })).toMatchObject(refusedAt("/to"));
  }
  const select = { from, to };
  const [redrive, trial, discard] = [{ select }, { select, dryRun: true }, { select, reason: "a test" }];
  for (const body of [redrive, trial]) {
    expect(await send("redriveDeadletters", { body })).toMatchObject(refusedAt("/select/to"));
  }
  expect(await send("discardDeadletters", { body: discard })).toMatchObject(refusedAt("/select/to"));
});
