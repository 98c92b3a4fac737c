import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";
import { movesOn, receiptsOf } from "../service/streams.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

/** Waits that an account may have at a time. */
const WAITS_MAX = 256;

let service: Running;
let hostile: Signed;
let honest: Signed;
beforeAll(async () => {
  service = await startService();
  hostile = await service.account();
  honest = await service.account();
});
afterAll(() => service.stop());

const created = receiptsOf(() => hostile.account);
const createdByHonest = receiptsOf(() => honest.account);
const move = movesOn(() => service.postgres);

async function transactions(): Promise<number> {
  const text = "SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()";
  const [row] = await service.postgres.query<{ n: number }>({ text });
  return row?.n ?? 0;
}

/** Counts the transactions of Postgres within so long, once its counters show them. */
async function askedWithin(ms: number): Promise<number> {
  const before = await transactions();
  await sleep(ms);
  return (await transactions()) - before;
}

describe("waiting for receipts", () => {
  test("costs a shared look, not one each; all are answered when their partition has passed", async () => {
    const waits = Array.from({ length: 200 }, () =>
      service.call(hostile.key, `/v2/receipts/${created(1, 7, 1).token}?wait=30`),
    );
    await sleep(1_500);
    // One each at every look would be thousands a second.
    expect(await askedWithin(2_000)).toBeLessThan(600);
    await move("state", 1, 8);
    for (const { body } of await Promise.all(waits)) expect(body.state).toBe("applied");
  });

  test("ends for a parked record when it is no more parked, by looks that all share", async () => {
    await move("state", 2, 10);
    const park = (status: string, requestId: string) =>
      service.postgres.execute(
        {
          text: `INSERT INTO rejects (account, record_id, request_id, operation, topic, partition, log_offset, place, item_index, status,
            code, path, message, payload, version, received_at, rejected_at, attempts) VALUES ($1, $2, $3, 'upsertContact',
            'intake.records', 2, 0, 0, 0, $4, 'CONTACTS_CONTACT_NOT_FOUND', '', '', '{}', repeat('0', 32)::uuid, 0, 0, 0)
            ON CONFLICT (account, record_id) DO UPDATE SET status = excluded.status`,
        },
        [hostile.account.number, `${requestId}:0:0`, requestId, status],
      );
    const requests = Array.from({ length: 50 }, () => created(2, 3, 1));
    for (const { requestId } of requests) await park("parked", requestId);
    const waits = requests.map(({ token }) => service.call(hostile.key, `/v2/receipts/${token}?wait=30`));
    await sleep(1_500);
    expect(await askedWithin(2_000)).toBeLessThan(800);
    for (const { requestId } of requests) await park("applied", requestId);
    for (const { body } of await Promise.all(waits)) expect(body.state).toBe("applied");
  });

  test("is bounded for each account: one with a thousand waits gets its own 429, another waits and reads beside it", async () => {
    const waits = Array.from({ length: 1_000 }, () =>
      service.call(hostile.key, `/v2/receipts/${created(3, 0, 1).token}?wait=20`),
    );
    const refused = Promise.all(waits).then((answers) => answers.filter(({ status }) => status !== 200));
    const own = service.call(honest.key, `/v2/receipts/${createdByHonest(4, 0, 1).token}?wait=20`);
    for (let n = 0; n < 20; n++) expect((await service.call(honest.key, "/v2/orders")).status).toBe(200);
    await move("state", 4, 1);
    expect((await own).body.state).toBe("applied");
    await move("state", 3, 1);
    const answers = await refused;
    expect(answers.length).toBeGreaterThanOrEqual(1_000 - WAITS_MAX - 1);
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "1"]);
    }
  });
});
