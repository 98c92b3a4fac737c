import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { membersView } from "./membersView.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const FIRST = { customer_id: "1" };

function system() {
  const state = new MemoryState();
  let at = 0;
  const operation = loggedOperations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("no operation upsertContact");
  const send = (identifiers: object, attributes: object, position = ++at) => {
    const version = versionOf(1_000 + position, { lane: 1, partition: 0, offset: position, place: 0 });
    const members: object = { contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true } };
    state.apply(account, [{ operation, version, record: { id: `r${at}:0:0`, receivedAt: 0, ...members } }]);
  };
  const contacts = () => [...state.contacts.values()].map((row) => fromRow(row));
  const view = () => {
    const [contact] = contacts();
    if (contact === undefined) throw new Error("the contact is there");
    return Object.fromEntries([...membersView(contact, "")].map(([path, { value }]) => [path, value]));
  };
  return { state, send, contacts, shown: view };
}

const channels = (address: string, subscribeStatus = "unsubscribed") => ({
  channels: { email: { address, subscribeStatus } },
});

describe("an address that is written as an attribute", () => {
  test("is the channel's, which stays unsubscribed", () => {
    const { send, shown: displayed } = system();
    send(FIRST, channels("one@x.org"));
    send(FIRST, { email: "Two@x.org" });
    expect(displayed()).toMatchObject({
      "identifiers.email": "two@x.org",
      "channels.email.address": "two@x.org",
      "channels.email.subscribeStatus": "unsubscribed",
    });
  });

  test("leaves a later address of the channel, and one that the same record gives", () => {
    const late = system();
    late.send(FIRST, channels("late@x.org"), 9);
    late.send(FIRST, { email: "early@x.org" }, 2);
    expect(late.shown()).toMatchObject({
      "identifiers.email": "late@x.org",
      "channels.email.address": "late@x.org",
      "attributes.email": "early@x.org",
    });
    const both = system();
    both.send(FIRST, channels("old@x.org"));
    both.send(FIRST, { email: "attribute@x.org", ...channels("channel@x.org") });
    expect(both.shown()).toMatchObject({
      "identifiers.email": "channel@x.org",
      "channels.email.address": "channel@x.org",
    });
  });

  test("leaves the channel its address, by which the contact is found, when it is removed or none", () => {
    const { send, shown: visible, contacts } = system();
    send(FIRST, channels("one@x.org"));
    for (const email of [null, "", " "]) send(FIRST, { email });
    send({ email: "one@x.org" }, { plan: "gold" });
    expect(visible()).toMatchObject({ "channels.email.address": "one@x.org", "attributes.plan": "gold" });
    expect(contacts()).toHaveLength(1);
  });

  const address = fc.constantFrom("a@x.org", "b@x.org", "c@x.org", "D@x.org");
  const attributes = fc.oneof(
    fc.record({ email: fc.oneof(address, fc.constant(null)) }),
    address.map((one) => channels(one)),
    fc.tuple(address, address).map(([one, other]) => ({ email: one, ...channels(other) })),
  );
  const identifiers = fc.oneof(
    fc.constantFrom<object>(FIRST, { customer_id: "2" }),
    address.map((email) => ({ email })),
  );

  test("never parts a channel's address from the identifier that finds its contact", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(identifiers, attributes), { maxLength: 12 }), (writes) => {
        const { state, send, contacts } = system();
        for (const [of, written] of writes) send(of, written);
        for (const contact of contacts()) {
          const written = contact.channels.get("email")?.address?.value;
          if (written === undefined) continue;
          expect(contact.identifiers.get("email")?.[0]).toBe(written);
          expect(state.owners.get(`1\nemail\n${written}`)).toBe(contact.number);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("an identifier without a channel", () => {
  test.each(["", " ", { a: 1 }, null])(
    "finds the contact again after the record that it names writes %j in its place",
    (email) => {
      const { send, shown, contacts } = system();
      send({ email: "one@x.org" }, { email: "one@x.org", n: "1" });
      for (const n of ["2", "3"]) send({ email: "one@x.org" }, { email, n });
      expect(contacts()).toHaveLength(1);
      expect(shown()).toMatchObject({ "identifiers.email": "one@x.org", "attributes.n": "3" });
    },
  );

  test("finds the contact that was made by a record with an empty attribute of its name", () => {
    const { send, shown, contacts } = system();
    for (const n of ["1", "2"]) send({ email: "one@x.org" }, { email: "", n });
    expect(contacts()).toHaveLength(1);
    expect(shown()).toMatchObject({ "identifiers.email": "one@x.org", "attributes.n": "2" });
  });

  test("stays where another identifier's record writes no identifier, and goes where it writes null", () => {
    const { send, shown, contacts } = system();
    send({ ...FIRST, email: "one@x.org" }, { email: "one@x.org" });
    send(FIRST, { email: "" });
    expect(shown()).toMatchObject({ "identifiers.email": "one@x.org", "attributes.email": "" });
    send(FIRST, { email: null });
    expect(shown()).not.toHaveProperty(["identifiers.email"]);
    expect(contacts()).toHaveLength(1);
  });
});
