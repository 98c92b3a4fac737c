import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCEPTED, type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

/** PAUSES_RUNS makes it longer. */
const RUNS = Number(process.env.PAUSES_RUNS || 1);
/** More than a window. */
const PEOPLE = 60;
const STEPS_MAX = 8;
const ENDS_WITHIN = 200;
const LATER: Delivered = { outcome: { kind: "deferred", slowsDown: false }, code: 450, text: "later" };
const GONE: Delivered = { outcome: { kind: "hard-bounce" }, code: 550, text: "5.1.1 nobody" };
const LOST: Delivered = { outcome: { kind: "unknown" } };
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody);
});
afterAll(() => world.stop());

/** Steps of a message that is sent. Those that its state refuses change nothing. */
const step = fc.constantFrom("job", "one", "two", "both", "due", "pause", "resume");
const plan = fc.record({
  steps: fc.array(step, { maxLength: STEPS_MAX }),
  /** Mails at whose hand-over the message is paused. */
  pausedAt: fc.uniqueArray(fc.integer({ min: 1, max: PEOPLE }), { maxLength: 3 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

/** Answers by the contact and its attempt alone: whatever comes between, everybody ends the same. */
function answerOf(mail: OutgoingMail, attempts: Map<number, number>): Delivered {
  const [contact = 0] = reachedBy([mail]);
  const attempt = (attempts.get(contact) ?? 0) + 1;
  attempts.set(contact, attempt);
  if (contact % 7 === 0) return GONE;
  if (contact % 5 === 0) return LOST;
  return contact % 3 === 0 && attempt === 1 ? LATER : ACCEPTED;
}

/** Each contact of the audience stands in one outcome, at every look. */
async function check(id: string): Promise<string> {
  const { status, delivery, audienceTotal } = await world.see(id);
  if (delivery === undefined) return status;
  const { skipped, ...counts } = delivery;
  const all: number[] = [...Object.values<number>(counts), ...Object.values<number>(skipped)];
  expect(all.reduce((sum, one) => sum + one, 0)).toBe(audienceTotal);
  return status;
}

async function send({ steps, pausedAt }: Plan): Promise<string> {
  const id = await world.make({ ...receipt, onUnknown: "skip", message: content("Hello") });
  const attempts = new Map<number, number>();
  let handed = 0;
  world.mails.splice(0);
  world.answer = async (mail) => {
    handed += 1;
    if (pausedAt.includes(handed)) await world.put(id, "pause");
    return answerOf(mail, attempts);
  };
  const senders = [world.sender("one"), world.sender("two")];
  const setDue = () =>
    world.sql("UPDATE sends SET due_at = 0 WHERE message = $1 AND state = 'deferred' AND due_at < 100000000000000", [
      id,
    ]);
  const take: Readonly<Record<Plan["steps"][number], () => Promise<unknown>>> = {
    job: () => world.work(id, 1),
    one: async () => senders[0]?.sendOnce(),
    two: async () => senders[1]?.sendOnce(),
    both: () => Promise.all([...senders.map((one) => one.sendOnce()), check(id)]),
    due: setDue,
    pause: () => world.put(id, "pause"),
    resume: () => world.put(id, "resume"),
  };
  expect(await world.put(id, "send")).toBe("200 pending");
  for (const one of steps) {
    await take[one]();
    await check(id);
  }
  for (let turn = 0; turn < ENDS_WITHIN && (await check(id)) !== "sent"; turn++) {
    await take.resume();
    await world.work(id);
    await take.due();
    await take.both();
  }
  return id;
}

test("a message that is paused and resumed anywhere ends as if it never was, and its outcomes add up at every moment", async () => {
  const plain = await world.rows(await send({ steps: [], pausedAt: [] }));
  expect(
    Object.values(plain)
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(everybody);
  expect(Object.keys(plain).toSorted()).toEqual(["sent", "unknown"]);
  await fc.assert(
    fc.asyncProperty(plan, async (drawn) => {
      const id = await send(drawn);
      expect(await check(id)).toBe("sent");
      expect(await world.rows(id)).toEqual(plain);
      const again = everybody.filter((contact) => contact % 3 === 0 && contact % 5 !== 0 && contact % 7 !== 0);
      expect(reachedBy(world.mails)).toEqual([...everybody, ...again].toSorted((a, b) => a - b));
    }),
    { numRuns: RUNS },
  );
});
