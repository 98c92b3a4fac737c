import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { mergeAsAsked } from "./mergeAsAsked.ts";
import { splitContact } from "./splitContact.ts";
import { writeContact } from "./writeContact.ts";

const accountOf = (number: number): Account => {
  return { number, id: String(number).repeat(24), name: `replay${number}`, settings: defaultSettings };
};
const first = accountOf(1);
const accounts = [first, accountOf(2)];
const options = { attributes: "destinationContact", lists: "destinationContact", cart: "lastModified" } as const;
const asked = { ...options, email_channels: "destinationContact", sms_channels: "destinationContact" } as const;
const all = { ...asked, push_channels: "merge", supplements: "destinationContact", orders: "merge" } as const;

/** A log, and writes of `/v2` between its records. Everything has a position in one order. */
function system() {
  const state = new MemoryState();
  const log: { readonly account: Account; readonly placed: VersionedRecord }[] = [];
  let at = 0;
  const version = () => versionOf(1_000 + ++at, { lane: 1, partition: 0, offset: at, place: 0 });
  const origin = (account: Account) => ({ account, recordId: `w${at}:0:0`, version: version() });
  const send = (members: object, { name = "upsertContact", account = first } = {}) => {
    const operation = loggedOperations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const located = { operation, version: version(), record: { id: `r${at}:0:0`, receivedAt: 0, ...members } };
    const outcome = state.apply(account, [located])[0];
    // One that was refused did nothing: read again it is tried again, as in a redrive.
    if (outcome?.kind !== "rejected") log.push({ account, placed: located });
    return outcome;
  };
  const write = (contact: object) =>
    state.write(first, (view) =>
      writeContact(view, { contact: { identifiers: {}, ...contact }, lists: {} }, origin(first)),
    );
  const numberOf = (name: string, value: string) => state.owners.get(`1\n${name}\n${value}`);
  const split = (value: string) => {
    const number = numberOf("email", value);
    if (number === undefined) return;
    state.write(first, (view) => splitContact(view, view.contactByNumber(number), ["email"], origin(first)));
  };
  const merge = (from: string, to: string, events: "merge" | "ignore") => {
    const [one, other] = [numberOf("email", from), numberOf("email", to)];
    if (one === undefined || other === undefined || one === other) return;
    state.write(first, (view) => {
      const pair = { source: view.contactByNumber(one), destination: view.contactByNumber(other), orders: [] };
      return mergeAsAsked(view, pair, { ...all, events }, origin(first));
    });
  };
  /** Reads the log from its beginning, in batches of any size. */
  const replay = (cuts: readonly number[] = []) => {
    for (const account of accounts) {
      const own = log.filter((entry) => entry.account === account).map(({ placed }) => placed);
      for (let from = 0, batch = 0; from < own.length; batch++) {
        const length = cuts[batch] ?? own.length;
        state.apply(account, own.slice(from, from + length));
        from += length;
      }
    }
  };
  return { state, send, write, split, merge, replay, numberOf };
}
type System = ReturnType<typeof system>;

const upsert = (identifiers: object, attributes?: object, more: object = {}) => ({
  contact: { identifiers, ...(attributes && { attributes, canBeCreated: true, canBeUpdated: true }), ...more },
});

/** Lists the contacts and what each is found by. */
function known({ state }: System) {
  const contacts = [...state.contacts.values()].map((row) => fromRow(row));
  return {
    contacts: contacts.map(({ number, mergedInto, identifiers }) => [number, mergedInto, [...identifiers]]),
    owners: [...state.owners].sort(),
    merges: state.merges.map(({ survivor, merged }) => [survivor, merged]),
  };
}
/** Lists what is written of each contact, except addresses: one that another contact held is written when both are one. */
function written({ state }: System) {
  const contacts = [...state.contacts.values()].map((row) => fromRow(row));
  return contacts.map(({ attributes }) => ["plan", "city"].map((name) => attributes.get(name)?.value ?? null));
}
const plan = (of: System, number: number | undefined) => {
  const row = number === undefined ? undefined : of.state.contacts.get(number);
  return row && fromRow(row).attributes.get("plan")?.value;
};

describe("the log is read again after an address was changed", () => {
  test("a record that alone made the contact makes no second one, nor does one that wrote it before the change", () => {
    const one = system();
    one.send(upsert({ email: "a@x" }, { plan: "x" }));
    one.send(upsert({ email: "a@x" }, { city: "y" }));
    one.send(upsert({ email: "a@x" }, { email: "b@x" }));
    const before = known(one);
    one.replay();
    expect(known(one)).toEqual(before);
    expect(one.state.contacts.size).toBe(1);
  });

  test("an address that was removed stays removed", () => {
    const one = system();
    one.send(upsert({ customer_id: "1", email: "a@x" }, { plan: "x" }));
    one.send(upsert({ customer_id: "1", email: "z@x" }, { city: "y" }));
    one.send(upsert({ customer_id: "1" }, { email: null }));
    one.send(upsert({ email: "a@x" }));
    const before = known(one);
    one.replay();
    expect(known(one)).toEqual(before);
  });

  test("a record newer than the change makes a new holder of the address, and each keeps its own", () => {
    const one = system();
    one.send(upsert({ email: "a@x" }, { plan: "first" }));
    one.write({ identifiers: { email: "a@x" }, attributes: { email: "b@x" }, canBeUpdated: true });
    one.send(upsert({ email: "a@x" }, { plan: "second", city: "y" }));
    one.send(upsert({ email: "a@x" }, { email: "c@x" }));
    one.send(upsert({ email: "a@x" }, { plan: "third" }));
    const before = [known(one), written(one)];
    one.replay();
    expect([known(one), written(one)]).toEqual(before);
    const plans = ["b@x", "c@x", "a@x"].map((email) => plan(one, one.numberOf("email", email)));
    expect(plans).toEqual(["first", "second", "third"]);
  });

  test("an event of before the change belongs to the contact that had the address then", () => {
    const one = system();
    one.send(upsert({ email: "a@x" }, { plan: "first" }));
    const event = { contact: { identifiers: { email: "a@x" } }, event: { name: "visit", time: "2026-01-01" } };
    one.send(event, { name: "createContactactivities" });
    one.send(upsert({ email: "a@x" }, { email: "b@x" }));
    one.send(upsert({ email: "a@x" }, { plan: "second" }));
    const late = { operation: loggedOperations.find(({ name }) => name === "createContactactivities") };
    if (late.operation === undefined) throw new Error("no such operation");
    const version = versionOf(1_002, { lane: 1, partition: 0, offset: 2, place: 0 });
    const again = { operation: late.operation, version, record: { id: "r2:0:0", receivedAt: 0, ...event } };
    expect(one.state.apply(first, [again])).toMatchObject([{ kind: "applied", contact: one.numberOf("email", "b@x") }]);
  });

  test("two accounts with one address do not know of each other's change", () => {
    const one = system();
    for (const account of accounts) one.send(upsert({ email: "a@x" }, { plan: "x" }), { account });
    one.send(upsert({ email: "a@x" }, { email: "b@x" }));
    const before = known(one);
    one.replay();
    expect(known(one)).toEqual(before);
    expect(one.state.contacts.size).toBe(2);
  });

  test("the contact's cut-off is not before what another partition had applied to it already", () => {
    const one = system();
    one.send(upsert({ customer_id: "1", email: "a@x" }, { plan: "x" }));
    const operation = loggedOperations.find(({ name }) => name === "upsertContact");
    if (operation === undefined) throw new Error("no such operation");
    const at = (timeMs: number, members: object): VersionedRecord => {
      const version = versionOf(timeMs, { lane: 1, partition: 1, offset: timeMs, place: 0 });
      return { operation, version, record: { id: `o${timeMs}:0:0`, receivedAt: 0, ...members } };
    };
    const ahead = at(9_000, upsert({ email: "a@x" }, { plan: "y" }));
    one.state.apply(first, [ahead]);
    one.state.apply(first, [at(8_000, upsert({ customer_id: "1" }, { email: "b@x" }))]);
    one.state.apply(first, [ahead]);
    expect(one.state.contacts.size).toBe(1);
  });

  test("who was moved out of a contact before a merge is found by earlier addresses, too", () => {
    const one = system();
    one.send(upsert({ email: "a@x" }, { plan: "x" }));
    one.send(upsert({ email: "a@x" }, { email: "b@x" }));
    one.send(upsert({ email: "c@x" }, { plan: "z" }));
    one.merge("b@x", "c@x", "ignore");
    const before = [known(one), written(one)];
    one.replay();
    expect([known(one), written(one)]).toEqual(before);
  });
});

const email = fc.constantFrom("a@x", "b@x", "c@x");
const customer = fc.constantFrom("1", "2");
const identifiers = fc.oneof(
  fc.record({ email }),
  fc.record({ customer_id: customer }),
  fc.record({ email, customer_id: customer }),
);
const address = fc.oneof(email, fc.constant(null));
const attributes = fc.oneof(
  fc.record({ plan: fc.constantFrom("x", "y") }),
  fc.record({ email: address }),
  fc.record({ channels: fc.record({ email: fc.record({ address: email }) }) }),
  fc.record({ plan: fc.constantFrom("x", "y"), email: address }),
);
const record = fc.record({ kind: fc.constant("record" as const), identifiers, attributes, mergeAllowed: fc.boolean() });
const write = fc.record({ kind: fc.constant("write" as const), identifiers, attributes });
const events = fc.constantFrom("merge" as const, "ignore" as const);
const merge = fc.record({ kind: fc.constant("merge" as const), from: email, to: email, events });
const mergeContacts = fc.record({ kind: fc.constant("mergeContacts" as const), from: email, to: customer });
const split = fc.record({ kind: fc.constant("split" as const), of: email });
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Of<typeof record> | Of<typeof write> | Of<typeof merge> | Of<typeof mergeContacts> | Of<typeof split>;

/**
 * One of two names finds the contact, which has another value of the second: that value stays nobody's. Who takes it later is met by the
 * record when it comes again, as by any record that comes late.
 */
function leavesOne(
  { state, numberOf }: System,
  ids: { readonly email?: string; readonly customer_id?: string },
): boolean {
  if (ids.email === undefined || ids.customer_id === undefined) return false;
  const [byEmail, byId] = [numberOf("email", ids.email), numberOf("customer_id", ids.customer_id)];
  const row = state.contacts.get(byEmail ?? byId ?? 0);
  if (row === undefined || (byEmail !== undefined && byId !== undefined)) return false;
  return fromRow(row).identifiers.has(byEmail === undefined ? "email" : "customer_id");
}

function take(one: System, step: Step): void {
  switch (step.kind) {
    case "record": {
      const { identifiers: ids, attributes: members, mergeAllowed } = step;
      if (leavesOne(one, ids)) return;
      one.send(upsert(ids, members, { mergeOptions: { mergeAllowed } }));
      return;
    }
    case "write":
      one.write(upsert(step.identifiers, step.attributes).contact);
      return;
    case "mergeContacts": {
      const [contact, previous] = [{ customer_id: step.to }, { email: step.from }].map((ids) => ({ identifiers: ids }));
      one.send({ contact, previous }, { name: "mergeContacts" });
      return;
    }
    case "merge":
      one.merge(step.from, step.to, step.events);
      return;
    case "split":
      one.split(step.of);
      return;
  }
}
/**
 * The same worlds each time. Of 20,000 others one or two are left in which a record names an address that was nobody's in its time and
 * was somebody's later: read again it meets that contact, as any record does that comes late.
 */
const WORLDS = { seed: 20_261_122, numRuns: 400 };
const cuts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 });

describe("laws of a log that is read again", () => {
  test("records and writes that change addresses, and merges, leave every contact as it was, in any cut", () => {
    const anyStep = fc.oneof({ weight: 6, arbitrary: record }, { weight: 2, arbitrary: write }, mergeContacts, merge);
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), cuts, (steps, sizes) => {
        const one = system();
        for (const step of steps) take(one, step);
        const before = [known(one), written(one)];
        one.replay(sizes);
        expect([known(one), written(one)]).toEqual(before);
      }),
      WORLDS,
    );
  });

  test("with splits among them the contacts are the same, and each is found by the same", () => {
    const anyStep = fc.oneof({ weight: 6, arbitrary: record }, write, mergeContacts, merge, split);
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), cuts, (steps, sizes) => {
        const one = system();
        for (const step of steps) take(one, step);
        const before = known(one);
        one.replay(sizes);
        expect(known(one)).toEqual(before);
      }),
      WORLDS,
    );
  });
});
