import { readOffsets } from "@headwater/stores";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headwater, preview } from "./adopt.ts";
import { type LostTailGround, lostTailGround } from "./ground.ts";

const WAIT_MS = 60_000;
const PEOPLE = 40;

let on: LostTailGround;

beforeAll(async () => {
  on = await lostTailGround("lost-tail");
}, 4 * WAIT_MS);

afterAll(async () => {
  await on?.stop();
}, WAIT_MS);

interface Sent {
  readonly email: string;
  readonly receipt: string;
}

async function sendSome(what: string, count = PEOPLE): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `${what}-${index}@example.com`;
    sent.push({ email, receipt: await on.send(email) });
  }
  return sent;
}

async function statesOf(sent: readonly Sent[]): Promise<Record<string, number>> {
  const states: Record<string, number> = {};
  for (const { receipt } of sent) {
    const { state } = await on.receipt(receipt);
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
}

/** Receipts that say applied of people who are not there. */
async function lies(sent: readonly Sent[]): Promise<string[]> {
  const found: string[] = [];
  for (const { email, receipt } of sent) {
    if ((await on.receipt(receipt)).state !== "applied") continue;
    if ((await on.get(`/v2/contacts/email:${email}`)).status !== 200) found.push(email);
  }
  return found;
}

const allApplied = async (sent: readonly Sent[]) =>
  expect.poll(() => statesOf(sent), { timeout: WAIT_MS, interval: 500 }).toEqual({ applied: sent.length });

async function held(): Promise<number> {
  const rows = await readOffsets(on.ground.postgres, ["state"]);
  return rows.filter(({ heldWhy }) => heldWhy !== null).length;
}

test("a broker that lost its tail: no receipt says applied of a person who is not there, projector alive", {
  timeout: 4 * WAIT_MS,
}, async () => {
  await allApplied(await sendSome("kept"));
  const ends = await on.ends();
  const lost = await sendSome("applied-and-cut");
  await allApplied(lost);
  await on.cut(ends);
  const after = await sendSome("after");
  expect(await lies(after)).toEqual([]);
  await expect.poll(held, { timeout: WAIT_MS }).toBe(8);
  // The log grows past the stored offsets again, and still is another one.
  const more = await sendSome("more", 2 * PEOPLE);
  expect(await lies([...after, ...more])).toEqual([]);
  expect(await statesOf([...after, ...more])).toEqual({ pending: 3 * PEOPLE });
  expect(await statesOf(lost)).toEqual({ applied: PEOPLE });
  expect(on.apps.lastWords()).toEqual([]);

  const { rows, digest } = await preview(on.ground, "intake.records");
  expect(rows.filter(({ what }) => what === "cut")).toHaveLength(8);
  const args = ["topics", "adopt", "intake.records", "--yes", "--reason", "the power was cut"];
  await expect(headwater(on.ground, ...args, "--confirm", "0000")).rejects.toThrow("PREVIEW_STALE");
  await headwater(on.ground, ...args, "--confirm", digest);
  await allApplied([...after, ...more]);
  await expectAllThere([...lost, ...after, ...more]);
  await expectBalanced();
});

test("records that were lost before they were applied are told, projector dead", { timeout: 4 * WAIT_MS }, async () => {
  const projector = on.apps.projector(0);
  const ends = await on.ends();
  const applied = await sendSome("second-applied");
  await allApplied(applied);
  await projector.stop();
  // Written and never read by anybody, then lost with some that were.
  const lost = await sendSome("never-applied");
  await on.cut(ends);
  const after = await sendSome("second-after");
  expect(await lies(after)).toEqual([]);
  await projector.start();
  await expect.poll(held, { timeout: WAIT_MS }).toBe(8);
  expect(await lies(after)).toEqual([]);
  const { digest } = await preview(on.ground, "intake.records");
  await headwater(on.ground, "topics", "adopt", "--yes", "--reason", "again", "--confirm", digest);
  await allApplied([...applied, ...after]);
  expect(await statesOf(lost)).toEqual({ rejected: PEOPLE });
  expect((await on.receipt(lost[0]?.receipt ?? "")).rejections).toMatchObject([{ code: "LOST_FROM_LOG" }]);
  await expectAllThere([...applied, ...after]);
  await expectBalanced();
  expect(on.apps.lastWords()).toEqual([]);
});

/** Expects every contact once in both stores. */
async function expectAllThere(sent: readonly Sent[]): Promise<void> {
  for (const { email } of sent) expect((await on.get(`/v2/contacts/email:${email}`)).status, email).toBe(200);
  const records = sent.map(({ receipt }) => receipt).length;
  const count = async () => {
    const [row] = await on.ground.clickhouse.query<{ rows: number; records: number }>(
      "SELECT toInt32(count()) AS rows, toInt32(uniqExact(record)) AS records FROM activities",
      {},
    );
    return row ?? { rows: 0, records: 0 };
  };
  await expect.poll(async () => (await count()).records, { timeout: WAIT_MS }).toBeGreaterThanOrEqual(records);
  const { rows, records: different } = await count();
  expect(rows).toBe(different);
}

async function expectBalanced(): Promise<void> {
  await expect
    .poll(async () => (await on.get("/v2/accounting")).body, { timeout: WAIT_MS, interval: 500 })
    .toMatchObject({ balanced: true });
}
