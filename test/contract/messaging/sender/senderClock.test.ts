import { type Clock, systemClock } from "@headwater/kernel";
import type { Delivered } from "@headwater/messaging/frozen/handover";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const HOURS_MS = 2 * 3_600_000;
const MINUTE_MS = 60_000;
/** The first wait of a deferred send is a minute, longer by a fifth at most. */
const FIRST_WAIT_MS = 1.2 * MINUTE_MS;
const LATER: Delivered = { outcome: { kind: "deferred", slowsDown: false }, code: 450, text: "later" };
const ahead: Clock = { ...systemClock, nowMs: () => Date.now() + HOURS_MS };
let world: SenderWorld;

beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.mails.splice(0);
  world.answer(() => LATER);
});

async function send(key: string): Promise<void> {
  await world.make(key, { classification: "transactional" });
  const { body } = await world.call("POST", `${ROOT}/${key}/send`, { to: { email: `${key}@example.com` } });
  expect(body.messagecontacts).toMatchObject([{ accepted: true }]);
}

/** Waits of sends by Postgres' clock, from now on. */
async function waits(): Promise<number[]> {
  const rows = await world.postgres.query<{ waitMs: number }>({
    text: `SELECT due_at - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "waitMs" FROM sends
      WHERE state IN ('pending', 'deferred')`,
  });
  return rows.map(({ waitMs }) => waitMs);
}

test("a sender whose clock runs hours ahead holds what is deferred no longer than any other", async () => {
  await send("deferred");
  await world.sender({ clock: ahead }).sendOnce();
  expect(world.mails).toHaveLength(1);
  const [waitMs = Number.NaN, ...others] = await waits();
  expect(others).toEqual([]);
  expect(waitMs).toBeLessThanOrEqual(FIRST_WAIT_MS);
});

test("a sender whose clock runs hours ahead takes nothing before its time", async () => {
  await send("early");
  await world.postgres.execute({ text: "UPDATE sends SET due_at = due_at + 3600000 WHERE state <> 'sent'" });
  expect(await world.sender({ clock: ahead }).sendOnce()).toBe(false);
  expect(world.mails).toEqual([]);
});
