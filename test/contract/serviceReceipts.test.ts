import { type Account, lanes, openReceipt, type Receipt, sealReceipt } from "@headwater/contracts";
import { systemClock } from "@headwater/kernel";
import { settledOf } from "@headwater/service";
import {
  appendOutbox,
  createOffsetsWatch,
  insertReceiptCounts,
  openOffset,
  type RejectStatus,
  readOutbox,
  readRelayProgress,
  setOffset,
  setRelayProgress,
  upsertRejects,
} from "@headwater/stores";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nowMs, type Running, SECRET, startService } from "./service/running.ts";
import { seedContacts, versionAt } from "./service/seed.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let other: Signed;
let requests = 0;

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

/** A receipt for `count` records at one offset of a partition of intake.records. */
function made(partition: number, offset: number, count: number, more: Partial<Receipt> = {}) {
  requests += 1;
  const at = { firstOffset: offset, firstPlace: 0, lastOffset: offset, lastPlace: count - 1 };
  const receipt: Receipt = {
    requestId: `request${requests}`,
    accountId: mine.account.id,
    receivedAt: nowMs(),
    parts: [{ lane: lanes["intake.records"], partition, ...at, count }],
    ...more,
  };
  return { requestId: receipt.requestId, token: sealReceipt(receipt, SECRET) };
}

async function move(
  group: string,
  partition: number,
  nextOffset: number,
  { topic = "intake.records", outboxPosition = 0, greatestTime = 0 } = {},
): Promise<void> {
  const key = { group, topic, generation: 1, partition };
  await openOffset(service.postgres, key, 0);
  const to = { nextOffset, lastRecordId: null, greatestTime, outboxPosition, windowFrom: 0 };
  await service.postgres.transaction((transaction) => setOffset(transaction, key, to));
}

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
    const { token } = made(1, 5, 3);
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
    const { token, requestId } = made(2, 0, 10);
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

  test("is rejected when nothing else became of it, and pages more than 1,000 rejections", async () => {
    const { token, requestId } = made(3, 0, 1_001);
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
    const { token } = made(4, 0, 1);
    const waiting = read(token, "?wait=20");
    await move("state", 4, 1);
    expect((await waiting).body.state).toBe("applied");
    expect((await read(made(4, 9, 1).token, "?wait=0.05")).body.state).toBe("pending");
    expect((await read(token, "?wait=31")).status).toBe(400);
    expect((await read(token, "?wait=long")).status).toBe(400);
  });

  test("a key of intake alone may follow its work", async () => {
    const key = await service.key(mine.account, { scopes: ["intake"] });
    expect((await read(made(1, 0, 1).token, "", key)).status).toBe(200);
  });

  test("is unknown when malformed, forged, too old, or of another account", async () => {
    const { token } = made(1, 0, 1);
    const old = made(1, 0, 1, { receivedAt: nowMs() - 7 * DAY - MINUTE });
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

describe("?after=", () => {
  const contact = (token: string, key = mine.key) => service.call(key, `/v2/contacts/${CID}?after=${token}`);
  const activities = (token: string) => service.call(mine.key, `/v2/contactactivities?after=${token}`);
  const audience = (token: string) =>
    service.call(mine.key, `/v2/audiencecount?after=${token}`, { method: "POST", body: { and: [] } });

  test("waits until the state is stored, else answers 409 with Retry-After", async () => {
    const { token } = made(5, 0, 1);
    const late = await contact(token);
    expect([late.status, late.body.code, late.headers["retry-after"]]).toEqual([409, "NOT_YET_APPLIED", "1"]);
    const waiting = contact(token);
    await move("state", 5, 1);
    expect((await waiting).status).toBe(200);
    for (const url of ["/v2/orders", "/v2/accountlists", `/v2/receipts/${token}`]) {
      expect((await service.call(mine.key, `${url}?after=${token}`)).status).toBe(200);
    }
  });

  test("waits on ClickHouse's reads for the activities, the outbox and the history", async () => {
    const { postgres } = service;
    const { token } = made(6, 0, 1);
    await postgres.transaction((transaction) =>
      appendOutbox(transaction, [{ position: 70, topic: "changes.contacts", sourcePartition: 6, payload: "{}" }]),
    );
    await move("state", 6, 1, { outboxPosition: 70 });
    expect((await activities(token)).status).toBe(409);
    await move("activities", 6, 1);
    expect((await audience(token)).status).toBe(409);
    const before = await readRelayProgress(postgres);
    const [row] = await readOutbox(postgres, before, 1);
    if (row === undefined) throw new Error("the outbox has a row");
    const offsets = { "changes.contacts": { "2": 8 }, deadletters: { "0": 5 } };
    await setRelayProgress(postgres, before, { xid: row.xid, position: row.position, offsets });
    expect((await audience(token)).status).toBe(409);
    await move("history", 2, 8, { topic: "changes.contacts" });
    expect((await audience(token)).status).toBe(200);
    expect((await activities(token)).status).toBe(200);
  });

  test("does not take a relay for being past a row whose transaction began later with a lower position", async () => {
    const { postgres } = service;
    const append = (position: number) =>
      postgres.transaction((transaction) =>
        appendOutbox(transaction, [{ position, topic: "changes.contacts", sourcePartition: 7, payload: "{}" }]),
      );
    await append(90);
    await append(80);
    await move("state", 7, 1, { outboxPosition: 80 });
    await move("activities", 7, 1);
    const { token } = made(7, 0, 1);
    const before = await readRelayProgress(postgres);
    const rows = await readOutbox(postgres, before, 10);
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error("the outbox has two rows");
    expect([first.position, second.position]).toEqual([90, 80]);
    const published = (place: typeof first) => ({ xid: place.xid, position: place.position, offsets: before.offsets });
    await setRelayProgress(postgres, before, published(first));
    expect((await audience(token)).status).toBe(409);
    await setRelayProgress(postgres, first, published(second));
    expect((await audience(token)).status).toBe(200);
  });

  test("waits for what was there when the state was stored, not for all that comes after it", async () => {
    const { postgres } = service;
    const append = (position: number) =>
      postgres.transaction((transaction) =>
        appendOutbox(transaction, [{ position, topic: "changes.contacts", sourcePartition: 4, payload: "{}" }]),
      );
    const publish = async (next: number) => {
      const before = await readRelayProgress(postgres);
      const last = (await readOutbox(postgres, before, 10)).at(-1);
      if (last === undefined) throw new Error("the outbox has rows");
      const offsets = { "changes.contacts": { "2": 8, "3": next } };
      await setRelayProgress(postgres, before, { xid: last.xid, position: last.position, offsets });
    };
    await append(100);
    await move("state", 4, 1, { outboxPosition: 100 });
    await move("activities", 4, 1);
    await publish(5);
    const receipt = openReceipt(made(4, 0, 1).token, SECRET);
    if (receipt === undefined) throw new Error("the receipt can be read");
    const isSettled = settledOf(
      { postgres, progress: createOffsetsWatch(postgres, ["state", "activities", "history"], systemClock) },
      receipt,
      "analytics",
    );
    expect(await isSettled()).toBe(false);
    await append(101);
    await move("state", 4, 2, { outboxPosition: 101 });
    await publish(6);
    await move("history", 3, 5, { topic: "changes.contacts" });
    await expect.poll(isSettled).toBe(true);
    await move("history", 3, 6, { topic: "changes.contacts" });
  });

  test("refuses a receipt of another account", async () => {
    const { token } = made(1, 0, 1);
    const { status, body } = await service.call(other.key, `/v2/orders?after=${token}`);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });
});

describe("asOf", () => {
  const TIME = Date.UTC(2026, 0, 9, 12);
  const count = async (running: Running, key: string) =>
    Date.parse((await running.call(key, "/v2/audiencecount", { method: "POST", body: { and: [] } })).body.asOf);

  test("is now for a stream that is read to its end, and stands still for one that is not", async () => {
    const before = nowMs();
    expect(await count(service, mine.key)).toBeGreaterThanOrEqual(before - 1_000);
    const stuck = await startService();
    const { key } = await stuck.account();
    stuck.highs.set("intake.records", 10);
    const groups = ["state", "activities"];
    for (const group of groups) {
      const offset = { group, topic: "intake.records", generation: 1, partition: 0 };
      await openOffset(stuck.postgres, offset, 0);
      const nextOffset = group === "state" ? 10 : 4;
      const to = { nextOffset, lastRecordId: null, greatestTime: TIME, outboxPosition: 0, windowFrom: 0 };
      await stuck.postgres.transaction((transaction) => setOffset(transaction, offset, to));
    }
    expect(await count(stuck, key)).toBe(TIME);
    await stuck.stop();
  });
});
