import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { expect } from "vitest";
import { headwater } from "./adopt.ts";
import type { LostTailGround } from "./ground.ts";

export const WAIT_MS = 60_000;
const ASKED_AT_ONCE = 8;

export interface Sent {
  readonly email: string;
  readonly receipt: string;
}

/** Sends people to an installation and asks what became of them. */
export function createPeople(on: LostTailGround) {
  async function statesOf(sent: readonly Sent[]): Promise<Record<string, number>> {
    const states: Record<string, number> = {};
    await ofEach(sent, async ({ receipt }) => {
      const { state } = await on.receipt(receipt);
      states[state] = (states[state] ?? 0) + 1;
    });
    return states;
  }
  return {
    async send(what: string, count: number): Promise<Sent[]> {
      const sent: Sent[] = [];
      for (let index = 0; index < count; index += 1) {
        const email = `${what}-${index}@example.com`;
        sent.push({ email, receipt: await on.send(email) });
      }
      return sent;
    },
    statesOf,
    async expectStates(sent: readonly Sent[], states: Record<string, number>): Promise<void> {
      await expect.poll(() => statesOf(sent), { timeout: WAIT_MS, interval: 500 }).toEqual(states);
    },
    /** Finds receipts that say applied of people who are not there. */
    async lies(sent: readonly Sent[]): Promise<string[]> {
      const found: string[] = [];
      await ofEach(sent, async ({ email, receipt }) => {
        if ((await on.receipt(receipt)).state !== "applied") return;
        if ((await on.get(`/v2/contacts/email:${email}`)).status !== 200) found.push(email);
      });
      return found;
    },
    /** Counts the rows of activities in ClickHouse. */
    written: async () => (await activities(on)).rows,
    /** Counts the partitions that a group holds. */
    async held(group = "state"): Promise<number> {
      const rows = await readOffsets(on.ground.postgres, [group]);
      return rows.filter(({ heldWhy }) => heldWhy !== null).length;
    },
    /** Expects everybody in both stores, once. */
    async expectAllThere(sent: readonly Sent[]): Promise<void> {
      await ofEach(sent, async ({ email }) => {
        expect((await on.get(`/v2/contacts/email:${email}`)).status, email).toBe(200);
      });
      await expect
        .poll(async () => (await activities(on)).records, { timeout: WAIT_MS })
        .toBeGreaterThanOrEqual(sent.length);
      const { rows, records } = await activities(on);
      expect(rows).toBe(records);
    },
    /** Expects that every accepted record has one position. @returns how many are said to be lost. */
    async expectBalanced(): Promise<number> {
      const accounting = async () => (await on.get("/v2/accounting")).body;
      await expect.poll(accounting, { timeout: WAIT_MS, interval: 500 }).toMatchObject({ balanced: true });
      const lines: readonly { readonly lost: number }[] = (await accounting()).data;
      return lines.reduce((sum, { lost }) => sum + lost, 0);
    },
    adopt: (digest: string, reason: string) =>
      headwater(on.ground, "topics", "adopt", "intake.records", "--yes", "--reason", reason, "--confirm", digest),
  };
}

/** Asks about everybody, a few at a time. */
async function ofEach(sent: readonly Sent[], ask: (one: Sent) => Promise<void>): Promise<void> {
  const left = sent.values();
  const askNext = async () => {
    for (const one of left) await ask(one);
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
}

async function activities({ ground }: LostTailGround) {
  const [row] = await ground.clickhouse.query<{ rows: number; records: number }>(
    "SELECT toInt32(count()) AS rows, toInt32(uniqExact(record)) AS records FROM activities WHERE account > 0",
    {},
  );
  return row ?? { rows: 0, records: 0 };
}
