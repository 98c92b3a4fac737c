import type { Account, RejectStatus } from "@headwater/contracts";
import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import { insertReceiptCounts } from "@headwater/intake/receipts/receipts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answersBetween } from "../service/answersBetween.ts";
import { nowMs, type Running, startService } from "../service/running.ts";
import { seedContacts, versionAt } from "../service/seed.ts";
import { movesOn, receiptsOf } from "../service/streams.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let other: Signed;

const CID = "65f0c0ffee65f0c0ffee0001";
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeAll(async () => {
  service = await startService();
  mine = await service.account();
  other = await service.account();
  await seedContacts(service.postgres, mine.account, [{ number: 1, cid: CID }]);
});

afterAll(() => service.stop());

const created = receiptsOf(() => mine.account);
const move = movesOn(() => service.postgres);

async function refuse(requestId: string, statuses: readonly RejectStatus[], account: Account = mine.account) {
  const rows = statuses.map((status, index) => ({
    account: account.number,
    recordId: `${requestId}:${index}:0`,
    requestId,
    operation: "upsertContact",
    topic: "intake.records",
    partition: 0,
    logOffset: 0,
    place: index,
    itemIndex: index,
    status,
    code: status === "skipped" ? "UNCHANGED" : "CONTACTS_CONTACT_NOT_FOUND",
    path: "/contact",
    message: "No contact has this identifier.",
    payload: "{}",
    version: versionAt(0),
    receivedAt: 0,
    rejectedAt: 0,
    attempts: 0,
    dueAt: null,
  }));
  await service.postgres.transaction((transaction) => upsertRejects(transaction, rows));
}

const read = (token: string, query = "", key = mine.key) => service.call(key, `/v2/receipts/${token}${query}`);

describe("GET /v2/receipts/{receipt}", () => {
  test("is pending until the partition has passed it, then applied", async () => {
    const { token } = created(1, 5, 3);
    expect((await read(token)).body).toEqual({
      state: "pending",
      records: { applied: 0, skipped: 0, rejected: 0, parked: 0, pending: 3 },
      skips: {},
      warnings: {},
      rejections: [],
      next: null,
    });
    await move("state", 1, 5);
    expect((await read(token)).body.state).toBe("pending");
    await move("state", 1, 6);
    const { status, body } = await read(token);
    expect([status, body.state, body.records.applied]).toEqual([200, "applied", 3]);
  });

  test("counts skips, warnings, rejections and parked records, and is pending while one is parked", async () => {
    const { token, requestId } = created(2, 0, 10);
    await move("state", 2, 1);
    await service.postgres.transaction((transaction) =>
      insertReceiptCounts(transaction, [
        {
          account: mine.account.number,
          requestId,
          topic: "intake.records",
          partition: 2,
          logOffset: 0,
          skips: { UNCHANGED: 2 },
          warnings: { MERGE_CONFLICT: 1 },
        },
      ]),
    );
    await refuse(requestId, ["open", "parked", "skipped", "applied", "discarded"]);
    const { body } = await read(token);
    expect(body).toMatchObject({
      state: "pending",
      records: { applied: 4, skipped: 3, rejected: 2, parked: 1, pending: 0 },
      skips: { UNCHANGED: 3 },
      warnings: { MERGE_CONFLICT: 1 },
      next: null,
    });
    expect(body.rejections.map(({ index }: { index: number }) => index)).toEqual([0, 1, 4]);
    expect(body.rejections[0]).toEqual({
      index: 0,
      path: "/contact",
      code: "CONTACTS_CONTACT_NOT_FOUND",
      message: "No contact has this identifier.",
    });
    await refuse(requestId, ["open", "open", "skipped", "applied", "discarded"]);
    expect((await read(token)).body.state).toBe("partly_rejected");
  });

  test("is of one snapshot while its records go from one state to another", async () => {
    const { token, requestId } = created(5, 0, 4);
    await move("state", 5, 1);
    const states: readonly (readonly RejectStatus[])[] = [
      ["open", "open", "open", "open"],
      ["skipped", "skipped", "skipped", "skipped"],
    ];
    const { atRest, between } = await answersBetween(
      states.map((statuses) => () => refuse(requestId, statuses)),
      async () => {
        const { state, records, skips, rejections } = (await read(token)).body;
        return [state, records.applied, skips, rejections.length];
      },
    );
    const ends = [
      ["rejected", 0, {}, 4],
      ["applied", 0, { UNCHANGED: 4 }, 0],
    ];
    expect([...atRest]).toEqual(ends.map((end) => JSON.stringify(end)));
    expect(between).toEqual(atRest);
  });

  test("is rejected when nothing else became of it, and pages more than 1,000 rejections", async () => {
    const { token, requestId } = created(3, 0, 1_001);
    await move("state", 3, 1);
    await refuse(
      requestId,
      Array.from({ length: 1_001 }, () => "open" as const),
    );
    const { body } = await read(token);
    expect([body.state, body.records.rejected, body.rejections.length]).toEqual(["rejected", 1_001, 1_000]);
    const rest = await read(token, `?cursor=${body.next}`);
    expect([rest.body.rejections.length, rest.body.next]).toEqual([1, null]);
    expect((await read(token, "?cursor=x")).body.code).toBe("INVALID_CURSOR");
  });

  test("waits for the end when asked, and answers as it is when the time is up", async () => {
    const { token } = created(4, 0, 1);
    const waiting = read(token, "?wait=20");
    await move("state", 4, 1);
    expect((await waiting).body.state).toBe("applied");
    expect((await read(created(4, 9, 1).token, "?wait=0.05")).body.state).toBe("pending");
    expect((await read(token, "?wait=31")).status).toBe(400);
    expect((await read(token, "?wait=long")).status).toBe(400);
  });

  test("holds after a wait in vain what ended meanwhile, beside a record that is parked", async () => {
    const { token, requestId } = created(6, 0, 3);
    const waiting = read(token, "?wait=2");
    // The wait has begun when others that are answered at once have been.
    expect((await read(token)).body.records.pending).toBe(3);
    await refuse(requestId, ["parked"]);
    await move("state", 6, 1);
    const { state, records } = (await waiting).body;
    expect([state, records]).toEqual(["pending", { applied: 2, skipped: 0, rejected: 0, parked: 1, pending: 0 }]);
  });

  test("a key of intake alone may follow its work", async () => {
    const key = await service.key(mine.account, { scopes: ["intake"] });
    expect((await read(created(1, 0, 1).token, "", key)).status).toBe(200);
  });

  test("is unknown when malformed, forged, too old, or of another account", async () => {
    const { token } = created(1, 0, 1);
    const old = created(1, 0, 1, { receivedAt: nowMs() - 7 * DAY - MINUTE });
    for (const [bad, key] of [
      ["nonsense", mine.key],
      [`${token}x`, mine.key],
      [`x${token}`, mine.key],
      [old.token, mine.key],
      [token, other.key],
    ] as const) {
      const { status, body } = await read(bad, "", key);
      expect([status, body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    }
  });
});
