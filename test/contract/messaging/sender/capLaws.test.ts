import type { Delivered } from "@headwater/messaging/frozen/handover";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

/** More than a window, so that senders have sends of the same people at the same time. */
const PEOPLE = 60;
const SENT: Delivered = { outcome: { kind: "sent" }, code: 250, text: "2.0.0 queued" };
const LATER: Delivered = { outcome: { kind: "deferred", slowsDown: false }, code: 450, text: "later" };
let world: SenderWorld;
let runs = 0;

beforeAll(async () => {
  world = await senderWorld();
  await world.make("offer", { classification: "promotional" });
});
afterAll(() => world.close());

/** People who had nothing so far. */
async function newPeople(): Promise<string[]> {
  runs += 1;
  const addresses = Array.from({ length: PEOPLE }, (_, index) => `p${index}@run${runs}.example.org`);
  for (const address of addresses) {
    await world.call("POST", "/v2/contacts", { channels: { email: { address, subscribeStatus: "subscribed" } } });
  }
  return addresses;
}

const drawn = fc.record({
  cap: fc.integer({ min: 1, max: 3 }),
  /** Messages that each of them is to get. */
  wanted: fc.integer({ min: 2, max: 4 }),
  senders: fc.integer({ min: 2, max: 3 }),
  /** Hand-overs that the server puts off. */
  putOff: fc.uniqueArray(fc.integer({ min: 1, max: PEOPLE }), { maxLength: 10 }),
});

test("no cap is exceeded by any number of senders that work at the same time, and none is left unused", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ cap, wanted, senders, putOff }) => {
      const caps = [{ channel: "email", count: cap, per: { n: 1, unit: "day" } }];
      await world.call("PUT", "/v2/account", { messaging: { caps } });
      const addresses = await newPeople();
      for (let call = 0; call < wanted; call++) {
        const { status } = await world.call("POST", `${ROOT}/offer/send`, {
          to: addresses.map((email) => ({ email })),
        });
        expect(status).toBe(200);
      }
      const taken = new Map(addresses.map((address) => [address, 0]));
      let handed = 0;
      world.answer(({ address }) => {
        handed += 1;
        if (putOff.includes(handed)) return LATER;
        taken.set(address, (taken.get(address) ?? 0) + 1);
        return SENT;
      });
      const working = Array.from({ length: senders }, () => world.sender());
      for (let busy = true; busy; ) {
        busy = (await Promise.all(working.map((one) => one.sendOnce()))).includes(true);
        if (!busy) busy = await isPutOff();
      }
      const times = [...taken.values()];
      expect(Math.max(...times)).toBeLessThanOrEqual(cap);
      expect(times.filter((one) => one < Math.min(cap, wanted))).toEqual([]);
    }),
    { numRuns: 2 },
  );
});

/** Makes what was put off due. @returns whether there was something. */
async function isPutOff(): Promise<boolean> {
  const created = await world.postgres.execute({
    text: "UPDATE sends SET due_at = 0 WHERE state = 'deferred' AND due_at > 0",
  });
  return created > 0;
}

test("of merged contacts caps count what each of them got", async () => {
  await world.call("PUT", "/v2/account", {
    messaging: { caps: [{ channel: "email", count: 1, per: { n: 1, unit: "day" } }] },
  });
  const [first = "", second = ""] = await newPeople();
  const offer = async (email: string) => {
    const { body } = await world.call("POST", `${ROOT}/offer/send`, { to: { email } });
    return String(body.messagecontacts[0].cID);
  };
  const taken: string[] = [];
  world.answer(({ address }) => {
    taken.push(address);
    return SENT;
  });
  const sender = world.sender();
  const merged = await offer(first);
  while (await sender.sendOnce());
  const numberOf = "SELECT number FROM contacts WHERE account = $1 AND cid = $2";
  const { body } = await world.call("GET", `/v2/contacts/${encodeURIComponent(second)}`);
  const merge = { text: `UPDATE contacts SET merged_into = (${numberOf}) WHERE account = $1 AND cid = $3` };
  expect(await world.postgres.execute(merge, [world.account.number, body.cID, merged])).toBe(1);
  await offer(second);
  while (await sender.sendOnce());
  expect(taken).toEqual([first]);
});

test("what its server refused counts for no cap, what it took does", async () => {
  await world.call("PUT", "/v2/account", {
    messaging: { caps: [{ channel: "email", count: 1, per: { n: 1, unit: "day" } }] },
  });
  const [email = ""] = await newPeople();
  const offer = () => world.call("POST", `${ROOT}/offer/send`, { to: { email } });
  const answers: Delivered[] = [{ outcome: { kind: "soft-bounce", bounce: "full" }, code: 552, text: "full" }, SENT];
  let handed = 0;
  world.answer(() => answers[handed++] ?? SENT);
  for (let call = 0; call < 3; call++) {
    await offer();
    await world.sendAll();
  }
  expect(handed).toBe(2);
  const text = "SELECT state, reason FROM sends WHERE account = $1 AND address = $2 ORDER BY n";
  const rows = await world.postgres.query<{ state: string; reason: string | null }>({ text }, [
    world.account.number,
    email,
  ]);
  expect(rows.map(({ state, reason }) => `${state} ${reason}`)).toEqual([
    "sent bounced",
    "sent null",
    "skipped capped",
  ]);
});
