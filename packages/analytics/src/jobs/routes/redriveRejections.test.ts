import type { RejectRow } from "@headwater/contracts";
import { versionOf } from "@headwater/contracts";
import { readRedrive, refuseDeadLetters, takeDeadLetters } from "@headwater/intake/deadLetters/redrives";
import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import type { Transaction } from "@headwater/postgres/connection/session";
import { serveService } from "@headwater/service/testService";
import { beforeAll, describe, expect, test } from "vitest";

const service = serveService([]);
const REQUEST = "VbZsDdSkFIHQqU5ESHo7";
let job = "";

function letter(requestId: string, position: number, more: Partial<RejectRow> = {}): RejectRow {
  const id = `${requestId}:${position}:0`;
  return {
    account: service.account.number,
    recordId: id,
    requestId,
    operation: "upsertContact",
    topic: "intake.records",
    partition: 0,
    logOffset: position,
    place: 0,
    itemIndex: position,
    status: "open",
    code: "UNKNOWN_ATTRIBUTE",
    path: "/contact/attributes/a",
    message: "No attribute has this key.",
    payload: JSON.stringify({ id, receivedAt: 1, contact: { identifiers: { email: `p${position}@example.com` } } }),
    version: versionOf(1, { lane: 1, partition: 0, offset: position, place: 0 }),
    receivedAt: 1,
    rejectedAt: 1,
    attempts: 0,
    dueAt: null,
    ...more,
  };
}

const deadLettersOf = (...positions: number[]) => positions.map((place) => `${REQUEST}:${place}:0`);

/** Does what the projector does: of five dead letters two are refused, and of the three that are written two are rejected again. */
async function redrive(transaction: Transaction): Promise<void> {
  const redriven = await readRedrive(transaction, service.account.number, job);
  if (redriven === undefined) throw new Error("the redrive was stored");
  await takeDeadLetters(transaction, redriven, { recordIds: deadLettersOf(0, 2, 4), at: 2 });
  const why = { code: "VALIDATION_ERROR", path: "/contact", message: "It is required." };
  const refusals = deadLettersOf(1, 3).map((recordId) => ({ recordId, ...why }));
  await refuseDeadLetters(transaction, redriven, { refusals, at: 2 });
  const again = [
    letter(job, 0, { redriveOf: deadLettersOf(0)[0] }),
    letter(job, 2, { redriveOf: deadLettersOf(4)[0] }),
  ];
  await upsertRejects(transaction, again);
}

beforeAll(async () => {
  await service.postgres.transaction((transaction) =>
    upsertRejects(
      transaction,
      [0, 1, 2, 3, 4].map((place) => letter(REQUEST, place)),
    ),
  );
  const body = { select: { ids: deadLettersOf(0, 1, 2, 3, 4) } };
  job = String((await service.send("redriveDeadletters", { body })).body.jobId);
  await service.postgres.transaction(redrive);
});

describe("rejections of a redrive", () => {
  const list = (query = "", headers = {}) => service.send("listJobrejections", { params: { id: job }, query, headers });
  const refused = (place: number) => ({
    code: "VALIDATION_ERROR",
    message: "It is required.",
    path: "/contact",
    record: { identifiers: { email: `p${place}@example.com` } },
    deadLetter: `${REQUEST}:${place}:0`,
  });
  const again = (index: number, of: number) => ({
    index,
    code: "UNKNOWN_ATTRIBUTE",
    message: "No attribute has this key.",
    path: "/contact/attributes/a",
    record: { identifiers: { email: `p${index}@example.com` } },
    deadLetter: `${job}:${index}:0`,
    redriveOf: `${REQUEST}:${of}:0`,
  });

  test("name the letters that validation refused, then the records that were rejected again, each with its letter", async () => {
    const { status, body } = await list("?return_count=true");
    expect([status, body.pagination.total]).toEqual([200, 4]);
    expect(body.data).toEqual([refused(1), refused(3), again(0, 0), again(2, 4)]);
  });

  test("come in pages in both directions, over the border of both kinds", async () => {
    const walk = async (direction: string) => {
      const first = await list(`?per_page=1&fields=deadLetter&sort_dir=${direction}`);
      const seen = [...first.body.data];
      for (let next = first.body.pagination.next_cursor; next !== null; ) {
        const page = await list(`?per_page=1&fields=deadLetter&sort_dir=${direction}&cursor=${next}`);
        seen.push(...page.body.data);
        next = page.body.pagination.next_cursor;
      }
      return seen.map(({ deadLetter }) => deadLetter);
    };
    const all = [...deadLettersOf(1, 3), `${job}:0:0`, `${job}:2:0`];
    expect(await walk("asc")).toEqual(all);
    expect(await walk("desc")).toEqual(all.toReversed());
    expect((await list("?per_page=2&page=2&fields=deadLetter")).body.data).toHaveLength(2);
  });

  test("leave out a letter that an erasure emptied", async () => {
    const text = `UPDATE rejects SET payload = '{}', history = '[{"what":"erased"}]' WHERE record_id = $1`;
    await service.postgres.execute({ text }, [`${REQUEST}:3:0`]);
    expect((await list("?return_count=true")).body.pagination.total).toBe(3);
  });
});
