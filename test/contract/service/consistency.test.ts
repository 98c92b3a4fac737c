import { consistencyOf } from "@headwater/api/consistency/consistencyOf";
import { createStreamChecks } from "@headwater/api/consistency/streamChecks";
import { openReceipt } from "@headwater/contracts";
import { readParked } from "@headwater/intake/receipts/receipts";
import { createFlowContext, systemClock } from "@headwater/kernel";
import { appendOutbox, readRelayProgress, setRelayProgress } from "@headwater/postgres/outbox/outbox";
import { createOffsetsWatch } from "@headwater/postgres/streams/offsetsWatch";
import { openOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outboxRows } from "../stores/outboxRows.ts";
import { nowMs, type Running, SECRET, startService } from "./running.ts";
import { seedContacts } from "./seed.ts";
import { movesOn, receiptsOf } from "./streams.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let other: Signed;

const CID = "65f0c0ffee65f0c0ffee0001";

beforeAll(async () => {
  service = await startService();
  mine = await service.account();
  other = await service.account();
  await seedContacts(service.postgres, mine.account, [{ number: 1, cid: CID }]);
});

afterAll(() => service.stop());

const created = receiptsOf(() => mine.account);
const move = movesOn(() => service.postgres);

describe("?after=", () => {
  const contact = (token: string, key = mine.key) => service.call(key, `/v2/contacts/${CID}?after=${token}`);
  const activities = (token: string) => service.call(mine.key, `/v2/contactactivities?after=${token}`);
  const audience = (token: string) =>
    service.call(mine.key, `/v2/audiencecount?after=${token}`, { method: "POST", body: { and: [] } });

  test("waits until the state is stored, else answers 409 with Retry-After", async () => {
    const { token } = created(5, 0, 1);
    const late = await contact(token);
    expect([late.status, late.body.code, late.headers["retry-after"]]).toEqual([409, "NOT_YET_APPLIED", "1"]);
    const waiting = contact(token);
    await move("state", 5, 1);
    expect((await waiting).status).toBe(200);
    for (const url of ["/v2/orders", "/v2/accountlists", `/v2/receipts/${token}`]) {
      expect((await service.call(mine.key, `${url}?after=${token}`)).status).toBe(200);
    }
  });

  test("waits on reads of activities for them, and on ClickHouse's other reads for the outbox and the history too", async () => {
    const { postgres } = service;
    const { token } = created(6, 0, 1);
    await postgres.transaction((transaction) =>
      appendOutbox(transaction, [{ position: 70, topic: "changes.contacts", sourcePartition: 6, payload: "{}" }]),
    );
    await move("state", 6, 1, { outboxPosition: 70 });
    expect((await activities(token)).status).toBe(409);
    await move("activities", 6, 1);
    expect((await activities(token)).status).toBe(200);
    expect((await audience(token)).status).toBe(409);
    const before = await readRelayProgress(postgres);
    const [row] = await outboxRows(postgres, before, 1);
    if (row === undefined) throw new Error("the outbox has a row");
    const offsets = { "changes.contacts": { "2": 8 }, deadletters: { "0": 5 } };
    await setRelayProgress(postgres, before, { xid: row.xid, position: row.position, offsets });
    expect((await audience(token)).status).toBe(409);
    await move("history", 2, 8, { topic: "changes.contacts" });
    expect((await audience(token)).status).toBe(200);
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
    const { token } = created(7, 0, 1);
    const before = await readRelayProgress(postgres);
    const [first, second] = await outboxRows(postgres, before, 2);
    if (first === undefined || second === undefined) throw new Error("the outbox has two rows");
    expect([first.position, second.position]).toEqual([90, 80]);
    const published = (place: typeof first) => ({ xid: place.xid, position: place.position, offsets: before.offsets });
    await setRelayProgress(postgres, before, published(first));
    expect((await audience(token)).status).toBe(409);
    await setRelayProgress(postgres, published(first), published(second));
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
      const last = (await outboxRows(postgres, before, 1)).at(-1);
      if (last === undefined) throw new Error("the outbox has rows");
      const offsets = { "changes.contacts": { "2": 8, "3": next } };
      await setRelayProgress(postgres, before, { xid: last.xid, position: last.position, offsets });
    };
    await append(100);
    await move("state", 4, 1, { outboxPosition: 100 });
    await move("activities", 4, 1);
    await publish(5);
    const receipt = openReceipt(created(4, 0, 1).token, SECRET);
    if (receipt === undefined) throw new Error("the receipt can be read");
    const progress = createOffsetsWatch(postgres, ["state", "activities", "history"], systemClock);
    const streamChecks = createStreamChecks({ session: postgres, flows: createFlowContext(), readParked });
    const isConsistent = consistencyOf({ progress, streamLooks: streamChecks }, receipt, "analytics");
    expect(await isConsistent()).toBe(false);
    await append(101);
    await move("state", 4, 2, { outboxPosition: 101 });
    await publish(6);
    await move("history", 3, 5, { topic: "changes.contacts" });
    await expect.poll(isConsistent).toBe(true);
    await move("history", 3, 6, { topic: "changes.contacts" });
  });

  test("refuses a receipt of another account", async () => {
    const { token } = created(1, 0, 1);
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
    // A check is reused for a short time: the one before may be of an earlier test.
    await expect.poll(() => count(service, mine.key)).toBeGreaterThanOrEqual(before);
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
