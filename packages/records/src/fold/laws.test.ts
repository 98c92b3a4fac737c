import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRow } from "../contacts/contactDocument.ts";
import { subscribeStatusOf } from "../contacts/model.ts";
import { foldInCuts } from "./testCuts.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "laws", settings: defaultSettings };

const email = fc.constantFrom("a@x", "b@x", "c@x", "d@x");
const customer = fc.constantFrom(1, 2, 3);
const value = fc.oneof(fc.constantFrom("x", "y", ""), fc.integer({ min: 0, max: 3 }), fc.constant(null), fc.boolean());
const attributes = fc.dictionary(fc.constantFrom("plan", "constructor", "city", "__proto_"), value, { minKeys: 1 });
const status = fc.constantFrom("subscribed", "unsubscribed", "none", "pending");

/** Any record of any operation, with rights, merges and several identifiers. */
const anyBody = fc.oneof(
  fc.record({
    name: fc.constant("upsertContact"),
    members: fc.record({
      contact: fc.record(
        {
          identifiers: fc.record({ email, customer_id: customer }, { requiredKeys: ["email"] }),
          attributes,
          canBeCreated: fc.boolean(),
          canBeUpdated: fc.boolean(),
          mergeOptions: fc.record({ mergeAllowed: fc.boolean(), mergeableSecondaryKeys: fc.constant(["customer_id"]) }),
        },
        { requiredKeys: ["identifiers", "attributes"] },
      ),
    }),
  }),
  fc.record({
    name: fc.constantFrom("addContactsToList", "removeContactsFromList"),
    members: fc.record({
      contact: fc.record({ identifiers: fc.record({ email }) }),
      listName: fc.constantFrom("vip", "news"),
    }),
  }),
  fc.record({
    name: fc.constant("upsertOrder"),
    members: fc.record({
      contact: fc.record({ identifiers: fc.record({ email }), attributes, canBeCreated: fc.boolean() }),
      order: fc.record(
        {
          orderID: fc.constantFrom("o1", "o2"),
          purchaseDate: fc.constantFrom("2026-01-01", "2026-01-02"),
          items: fc.array(fc.record({ productID: fc.constant("p"), sku: fc.constant("s"), name: fc.constant("n") }), {
            minLength: 1,
            maxLength: 2,
          }),
          status: fc.constantFrom("paid", "refunded"),
        },
        { requiredKeys: ["orderID", "purchaseDate", "items"] },
      ),
    }),
  }),
  fc.record({
    name: fc.constant("mergeContacts"),
    members: fc.record({
      contact: fc.record({ identifiers: fc.record({ customer_id: customer }), canBeCreated: fc.boolean() }),
      previous: fc.record({ identifiers: fc.record({ email }) }),
    }),
  }),
  fc.record({
    name: fc.constant("setOrderStatus"),
    members: fc.record({
      contact: fc.record({ identifiers: fc.record({ email }), canBeCreated: fc.boolean() }),
      order: fc.record({ orderID: fc.constantFrom("o1", "o2"), status: fc.constantFrom("refunded", "paid") }),
    }),
  }),
  fc.record({
    name: fc.constant("createContactactivities"),
    members: fc.record({
      contact: fc.record({ identifiers: fc.record({ email }) }),
      event: fc.record({
        name: fc.constant("browse"),
        time: fc.constant("2026-01-01"),
        UID: fc.constantFrom("u1", "u2"),
      }),
    }),
  }),
);

/** Writes that name one contact, so that who they meet does not depend on the order. */
const plainBody = fc.record({
  name: fc.constant("upsertContact"),
  members: fc.record({
    contact: fc.record({
      identifiers: fc.constant({ email: "a@x" }),
      attributes: fc
        .tuple(attributes, fc.option(fc.record({ subscribeStatus: status }), { nil: undefined }))
        .map(([flat, channel]) => (channel === undefined ? flat : { ...flat, channels: { sms: channel } })),
      canBeCreated: fc.constant(true),
      canBeUpdated: fc.constant(true),
      forceSubscribe: fc.boolean(),
    }),
  }),
});

function located(bodies: readonly { name: string; members: object }[], partition = 0): VersionedRecord[] {
  return bodies.flatMap(({ name, members }, index) => {
    const operation = loggedOperations.find((candidate) => candidate.name === name);
    if (operation === undefined) return [];
    const version = versionOf(1_000 + index * 2 + partition, { lane: 1, partition, offset: index, place: 0 });
    return [{ operation, record: { id: `p${partition}r${index}:0:0`, receivedAt: 0, ...members }, version }];
  });
}

function fresh(): MemoryState {
  const state = new MemoryState();
  state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
  state.defineList(1, { id: 2, name: "news", clearedVersion: undefined });
  return state;
}

function stored(state: MemoryState): unknown {
  return [state.contacts, state.owners, state.memberships, state.orders, state.aliases].map((map) => [...map].sort());
}

/** Lists everything visible of the contacts; versions are left aside. */
function seen(state: MemoryState): unknown {
  return [...state.contacts.values()]
    .map((row) => fromRow(row))
    .map((contact) => ({
      attributes: [...contact.attributes]
        .filter(([, written]) => written.value !== null)
        .map(([n, w]) => [n, w.value])
        .sort(),
      channels: [...contact.channels].map(([name, channel]) => [name, subscribeStatusOf(channel)]).sort(),
      identifiers: [...contact.identifiers].sort(),
    }));
}

describe("laws of the folds", () => {
  test("a batch folded in any cuts equals its records folded one by one", () => {
    fc.assert(
      fc.property(fc.array(anyBody, { maxLength: 24 }), fc.array(fc.integer({ min: 1, max: 6 })), (bodies, cuts) => {
        const records = located(bodies);
        const [one, cut] = [fresh(), fresh()];
        const { outcomes, inCuts } = foldInCuts({ account, one, cut }, records, cuts);
        expect(inCuts.map(plain)).toEqual(outcomes.map(plain));
        expect(stored(cut)).toEqual(stored(one));
      }),
      { numRuns: 300 },
    );
  });

  test("plain writes of two partitions end in one state in any interleaving", () => {
    fc.assert(
      fc.property(
        fc.array(plainBody, { maxLength: 8 }),
        fc.array(plainBody, { maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        (left, right, picks) => {
          const [a, b] = [located(left, 0), located(right, 1)];
          const [inOrder, mixed] = [fresh(), fresh()];
          const first = { ...located([...left, ...right], 2)[0] };
          const opening =
            first.operation === undefined ? [] : [{ ...first, version: "0".repeat(32) } as VersionedRecord];
          for (const state of [inOrder, mixed]) state.apply(account, opening);
          inOrder.apply(account, [...a, ...b]);
          const [x, y] = [[...a], [...b]];
          while (x.length + y.length > 0) {
            const from = (picks.next().value === true && x.length > 0) || y.length === 0 ? x : y;
            const next = from.shift();
            if (next !== undefined) mixed.apply(account, [next]);
          }
          expect(seen(mixed)).toEqual(seen(inOrder));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("a record whose writes stand already changes nothing a second time", () => {
    fc.assert(
      fc.property(fc.array(plainBody, { minLength: 1, maxLength: 8 }), (bodies) => {
        const state = fresh();
        const records = located(bodies);
        state.apply(account, records);
        const before = seen(state);
        state.apply(account, records);
        expect(seen(state)).toEqual(before);
      }),
    );
  });
});

function plain(outcome: unknown): unknown {
  return JSON.parse(JSON.stringify(outcome, (_key, inner) => (inner instanceof Set ? [...inner].sort() : inner)));
}
