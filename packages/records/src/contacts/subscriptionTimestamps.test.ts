import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { membersView } from "./membersView.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "timestamps", settings: defaultSettings };
const upsertContact = operations.find(({ name }) => name === "upsertContact");

interface StatusWrite {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status?: string;
  readonly force?: boolean;
  readonly given?: object;
  readonly identifiers?: object;
}

/** Writes these statuses of one contact's email channel, in this order. @returns since when it is subscribed and unsubscribed. */
function timestampsAfter(writes: readonly StatusWrite[]) {
  const state = new MemoryState();
  for (const [
    offset,
    { at, status, force = false, given: input, identifiers = { email: "a@x.org" } },
  ] of writes.entries()) {
    if (upsertContact === undefined) throw new Error("no such operation");
    const channel = { ...(status && { subscribeStatus: status }), ...input };
    const contact = {
      identifiers,
      attributes: { channels: { email: channel } },
      canBeCreated: true,
      canBeUpdated: true,
      forceSubscribe: force,
      mergeOptions: { mergeAllowed: true },
    };
    const version = versionOf(at, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact };
    state.apply(account, [{ operation: upsertContact, version, record }]);
  }
  const row = [...state.contacts.values()].find(({ mergedInto }) => mergedInto === null);
  if (row === undefined) throw new Error("no contact");
  const view = membersView(fromRow(row), row.version);
  const timestampOf = (name: string) => {
    const value = view.get(`channels.email.${name}`)?.value;
    return typeof value === "string" ? Date.parse(value) : undefined;
  };
  return { subscribed: timestampOf("subscribedAt"), unsubscribed: timestampOf("unsubscribedAt") };
}

const unsubscribe = (at: number): StatusWrite => ({ at, status: "unsubscribed" });
const subscribe = (at: number, force = false): StatusWrite => ({ at, status: "subscribed", force });

test("a plain subscribe of an unsubscribed channel changes nothing that is seen, and a late unsubscribe hides it", () => {
  const any = fc.uniqueArray(fc.record({ at: fc.integer({ min: 1, max: 9 }), isSubscribe: fc.boolean() }), {
    selector: ({ at }) => at,
    minLength: 1,
  });
  fc.assert(
    fc.property(any, (writes) => {
      const timesOf = (wanted: boolean) =>
        writes.flatMap(({ at, isSubscribe }) => (isSubscribe === wanted ? [at] : []));
      const [subscribed, unsubscribed] = [Math.min(...timesOf(true)), Math.min(...timesOf(false))];
      expect(
        timestampsAfter(writes.map(({ at, isSubscribe }) => (isSubscribe ? subscribe(at) : unsubscribe(at)))),
      ).toEqual({
        subscribed: subscribed < unsubscribed ? subscribed : undefined,
        unsubscribed: Number.isFinite(unsubscribed) ? unsubscribed : undefined,
      });
    }),
  );
});

test.each([
  ["says again every night who unsubscribed", [unsubscribe(1), unsubscribe(2), unsubscribe(3)], { unsubscribed: 1 }],
  ["says again every night who subscribed, forced", [subscribe(1, true), subscribe(2, true)], { subscribed: 1 }],
  [
    "subscribes again who is unsubscribed, unforced",
    [unsubscribe(1), subscribe(2), unsubscribe(3)],
    { unsubscribed: 1 },
  ],
  [
    "subscribes who is unsubscribed, unforced and then forced",
    [unsubscribe(1), subscribe(2), subscribe(3, true)],
    { subscribed: 3, unsubscribed: 1 },
  ],
  [
    "says late that somebody was unsubscribed before a subscription, which was forced since",
    [subscribe(2), subscribe(3, true), unsubscribe(1)],
    { subscribed: 3, unsubscribed: 1 },
  ],
  [
    "unsubscribes who was subscribed again meanwhile",
    [unsubscribe(1), subscribe(2, true), unsubscribe(3), unsubscribe(4)],
    { subscribed: 2, unsubscribed: 3 },
  ],
  ["comes late", [unsubscribe(5), unsubscribe(3)], { unsubscribed: 3 }],
  [
    "comes late, of before the last subscription",
    [unsubscribe(1), subscribe(4, true), unsubscribe(6), unsubscribe(2)],
    { subscribed: 4, unsubscribed: 6 },
  ],
  [
    "gave the timestamp in a rare form",
    [{ ...unsubscribe(5), given: { unsubscribedAt: "1970-W01-4T00:00:00,002Z" } }],
    { unsubscribed: 2 },
  ],
  [
    "gave the timestamp itself",
    [{ ...unsubscribe(5), given: { unsubscribedAt: "1970-01-01T00:00:00.002Z" } }, unsubscribe(7)],
    { unsubscribed: 2 },
  ],
  [
    "gave the timestamp of an earlier time",
    [{ ...unsubscribe(5), given: { unsubscribedAt: "1970-01-01T00:00:00.002Z" } }, subscribe(6, true), unsubscribe(7)],
    { subscribed: 6, unsubscribed: 7 },
  ],
  [
    "merges one who unsubscribed before the other subscribed",
    [
      { ...subscribe(4), identifiers: { email: "a@x.org" } },
      { ...unsubscribe(3), identifiers: { customer_id: "1" } },
      { at: 9, identifiers: { email: "a@x.org", customer_id: "1" } },
    ],
    { unsubscribed: 3 },
  ],
  [
    "merges two who unsubscribed",
    [
      { ...unsubscribe(4), identifiers: { email: "a@x.org" } },
      { ...unsubscribe(3), identifiers: { customer_id: "1" } },
      { at: 9, identifiers: { email: "a@x.org", customer_id: "1" } },
    ],
    { unsubscribed: 3 },
  ],
] satisfies [string, readonly StatusWrite[], object][])("a sender that %s", (_what, writes, timestamps) => {
  expect(timestampsAfter(writes)).toEqual({ subscribed: undefined, unsubscribed: undefined, ...timestamps });
});
