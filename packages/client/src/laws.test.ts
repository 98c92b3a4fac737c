import { accepted, refused, type StubAnswer, type StubCall } from "@headwater/testing";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createTestClients, idsOf, person } from "./testClient.ts";

const clients = createTestClients();
afterEach(() => clients.stop());

const ITEMS_MAX = 4;
/** Fates of one request: `lost` is accepted, and its answer never comes. */
const fate = fc.constantFrom("taken", "lost", "cut", "busy", "limited");
type Fate = "taken" | "lost" | "cut" | "busy" | "limited";

/** An API that takes what it is sent once for a key, and no more than ITEMS_MAX at once. */
function createTaking(fates: readonly Fate[]) {
  const taken = new Map<unknown, readonly unknown[]>();
  const take = ({ headers, items }: StubCall) => {
    const key = headers["idempotency-key"];
    if (!taken.has(key)) taken.set(key, items);
  };
  const reply = (came: StubCall, count: number): StubAnswer => {
    if (came.items.length > ITEMS_MAX) return refused(413, "PAYLOAD_TOO_LARGE");
    const now = fates[count - 1] ?? "taken";
    if (now === "cut") return "cut";
    if (now === "busy") return refused(503, "SERVICE_UNAVAILABLE");
    if (now === "limited") return refused(429, "RATE_LIMITED");
    take(came);
    return now === "lost" ? "cut" : accepted();
  };
  return { reply, ids: () => [...taken.values()].flatMap(idsOf) };
}

test("law: whatever befalls its requests, every item is taken once, and in the order in which it was sent", async () => {
  const fates = fc.array(fate, { maxLength: 12 });
  const counts = fc.record({ items: fc.integer({ min: 1, max: 25 }), batch: fc.integer({ min: 1, max: 8 }) });
  await fc.assert(
    fc.asyncProperty(fates, counts, async (befalling, { items, batch }) => {
      const taking = createTaking(befalling);
      const { client } = await clients.start(taking.reply, {
        batch: { items: batch, lingerMs: 0 },
        buffer: { items: 10 },
        retry: { minMs: 1, maxMs: 2, giveUpAfterMs: 60_000 },
      });
      const ids = Array.from({ length: items }, (_, id) => id);
      await Promise.all(ids.map((id) => client.send("upsertContact", person(id))));
      expect(taking.ids()).toEqual(ids);
      expect(client.state()).toEqual({ items: 0, bytes: 0, waiting: 0, requestsInFlight: 0 });
      await clients.stop();
    }),
    { numRuns: 40 },
  );
});
