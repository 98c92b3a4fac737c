import { type Account, accountSettings, defaultSettings, type Identifier, versionOf } from "@headwater/contracts";
import type { LoggedOperation } from "@headwater/intake/operations/operation";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import type { FoldEvent } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { folded, skipped } from "../fold/outcome.ts";
import { canonicalizeContact } from "./canonicalizeContact.ts";
import { fromRow } from "./contactDocument.ts";
import type { Origin } from "./contactIndex.ts";
import { membersView } from "./membersView.ts";
import type { Contact } from "./model.ts";
import { channelOf } from "./writeChannel.ts";

const accountWith = (settings: object): Account => {
  return { number: 1, id: "a".repeat(24), name: "test", settings: accountSettings.parse(settings) };
};
const austrian = accountWith({ country: "AT" });

function system() {
  const state = new MemoryState();
  let at = 0;
  const operation = loggedOperations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("no operation upsertContact");
  const send = (identifiers: object, attributes: object = { a: at }, account = austrian) => {
    at += 1;
    const version = versionOf(1_000 + at, { lane: 1, partition: 0, offset: at, place: 0 });
    const contact = {
      identifiers,
      attributes,
      canBeCreated: true,
      canBeUpdated: true,
      mergeOptions: { mergeAllowed: true },
    };
    const members: object = { contact };
    return state.apply(account, [{ operation, version, record: { id: `r${at}:0:0`, receivedAt: 0, ...members } }]);
  };
  /** Runs a fold of its own over the contact of an identifier. */
  const run = (
    identifier: Identifier,
    fold: (index: FoldState, origin: Origin) => readonly FoldEvent[],
    account: Account,
  ) => {
    at += 1;
    const version = versionOf(1_000 + at, { lane: 1, partition: 0, offset: at, place: 0 });
    const own: LoggedOperation = {
      ...operation,
      name: "own",
      reads: () => ({ identifiers: [identifier], members: true }),
      fold: (index, _record, origin) => folded(skipped("UNCHANGED"), fold(index, origin)),
    };
    state.apply(account, [{ operation: own, version, record: { id: `r${at}:0:0`, receivedAt: 0 } }]);
  };
  /** Rewrites a stored address. @returns what became of it. */
  const rewrite = (value: string, account = austrian, name = "phone") => {
    let kind = "";
    const fold = (index: FoldState, origin: Origin) => {
      const done = canonicalizeContact(index, { name, value }, origin);
      kind = done.kind;
      return done.changeEvents;
    };
    run({ name, value }, fold, account);
    return kind;
  };
  const bounce = (identifier: Identifier) => {
    const fold = (index: FoldState, { version }: Origin) => {
      const contact = index.find(identifier);
      if (contact === undefined) return [];
      channelOf(contact, "sms").bounced = { value: identifier.value, version };
      index.touched(contact);
      return [];
    };
    run(identifier, fold, austrian);
  };
  const contacts = (): Contact[] => [...state.contacts.values()].map((row) => fromRow(row)).filter(isLive);
  const view = () =>
    contacts().map((one) => Object.fromEntries([...membersView(one, "")].map(([path, { value }]) => [path, value])));
  return { state, send, rewrite, bounce, contacts, shown: view };
}

function isLive({ mergedInto }: Contact): boolean {
  return mergedInto === undefined;
}

test("forms of one address are one contact, and it shows the canonical one", () => {
  const { send, shown: displayed } = system();
  for (const email of ["mailto:Ann@example.com", "Ann <ann@example.com>", "ann@example.com\u200b"]) send({ email });
  for (const phone of ["0043 660 1234567", "0660 1234567", "tel:+43-660-1234567"]) send({ phone });
  expect(displayed()).toMatchObject([
    { "identifiers.email": "ann@example.com" },
    { "identifiers.phone": "+436601234567" },
  ]);
});

test("what is no address is stored, is not valid, and warns; a later address is valid", () => {
  const { send, shown: visible } = system();
  const outcomes = send({ email: "ann at example.com", phone: "12" });
  expect(outcomes).toMatchObject([{ kind: "applied", warnings: new Set(["NOT_AN_ADDRESS"]) }]);
  const invalid = { "channels.email.valid": false, "channels.sms.valid": false };
  expect(visible()).toMatchObject([{ "channels.email.address": "ann at example.com", ...invalid }]);
  send({ phone: "12" }, { channels: { email: { address: "ann@example.com" } } });
  const [now = {}] = visible();
  expect(now).toMatchObject({ "channels.email.address": "ann@example.com", "channels.sms.valid": false });
  expect(now).not.toHaveProperty(["channels.email.valid"]);
});

test.each(["none", "-", "n/a", "N/A", "unknown"])(
  "people with %j in place of their addresses stay apart, and it is stored and not valid",
  (text) => {
    const { send, shown } = system();
    const outcomes = ["1", "2", "2"].map((id) => send({ email: text, phone: text, customer_id: id }, { n: id }));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject([{ warnings: new Set(["NOT_AN_ADDRESS"]) }]);
    }
    send({ customer_id: "3" }, { email: text, n: "3" });
    send({ customer_id: "4" }, { channels: { email: { address: text } }, n: "4" });
    const invalid = { "channels.email.address": text.toLowerCase(), "channels.email.valid": false };
    const numbers = { "channels.sms.address": text, "channels.sms.valid": false };
    expect(shown()).toMatchObject([
      { "identifiers.customer_id": "1", "attributes.n": "1", ...invalid, ...numbers },
      { "identifiers.customer_id": "2", "attributes.n": "2", ...invalid, ...numbers },
      { "identifiers.customer_id": "3", "attributes.n": "3", ...invalid },
      { "identifiers.customer_id": "4", "attributes.n": "4", ...invalid },
    ]);
  },
);

test("people with a text in place of an identifier stay apart, and it takes the place of none", () => {
  const { send, shown } = system();
  send({ email: "ann@example.com", customer_id: "n/a" });
  send({ email: "bob@example.com", customer_id: "N/A" }, { customer_id: "none" });
  const outcomes = send({ customer_id: "7", email: "cay@example.com" }, { anonymousId: "undefined" });
  send({ email: "cay@example.com" }, { customer_id: "-", anonymousId: "null" });
  expect(outcomes).toMatchObject([{ kind: "applied", warnings: new Set() }]);
  const [ann = {}, bob = {}, cay = {}, ...others] = shown();
  expect(others).toEqual([]);
  expect([ann, bob, cay]).toMatchObject([
    { "identifiers.email": "ann@example.com" },
    { "identifiers.email": "bob@example.com", "attributes.customer_id": "none" },
    { "identifiers.email": "cay@example.com", "identifiers.customer_id": "7", "attributes.customer_id": "-" },
  ]);
  for (const one of [ann, bob]) expect(one).not.toHaveProperty(["identifiers.customer_id"]);
  expect(cay).not.toHaveProperty(["identifiers.anonymousId"]);
});

test("an address takes the place of a text without one, and such a text leaves an address that is there", () => {
  const { send, shown, contacts } = system();
  send({ customer_id: "1", email: "none", phone: "n/a" });
  send({ customer_id: "1", email: "ann@example.com" }, { phone: "0660 1234567" });
  const known = { "channels.email.address": "ann@example.com", "channels.sms.address": canonical };
  expect(shown()).toMatchObject([{ ...known, "identifiers.email": "ann@example.com", "identifiers.phone": canonical }]);
  send({ customer_id: "1", email: "none", phone: "n/a" }, { email: "-" });
  expect(shown()).toMatchObject([known]);
  expect(shown()[0]).not.toHaveProperty(["channels.email.valid"]);
  send({ email: "ann@example.com", anonymousId: "9" });
  expect(contacts()).toHaveLength(1);
});

test("a merge brings the address of either, where the other has a text in its place", () => {
  for (const [first, second] of [
    ["none", "ann@example.com"],
    ["ann@example.com", "none"],
  ]) {
    const { send, shown } = system();
    send({ customer_id: "1", email: first });
    send({ anonymousId: "2", email: second });
    send({ customer_id: "1", anonymousId: "2" });
    const [now = {}, ...others] = shown();
    expect(others).toEqual([]);
    expect(now).toMatchObject({ "identifiers.email": "ann@example.com" });
    expect(now["channels.email.address"] ?? "ann@example.com").toBe("ann@example.com");
    expect(now).not.toHaveProperty(["channels.email.valid"]);
  }
});

test("a record that is known by nothing else finds its contact by a text without an address", () => {
  const { send, shown, contacts } = system();
  for (const n of ["1", "2"]) send({ phone: "n/a" }, { phone: "n/a", channels: { sms: { address: "n/a" } }, n });
  expect(contacts()).toHaveLength(1);
  expect(shown()).toMatchObject([{ "identifiers.phone": "n/a", "channels.sms.valid": false, "attributes.n": "2" }]);
});

test("a contact that was stored by a number without its country is found once the account has one, and shows E.164", () => {
  const { send, shown, state } = system();
  send({ phone: "0660 1234567" }, {}, accountWith({}));
  expect(shown()).toMatchObject([{ "identifiers.phone": "06601234567", "channels.sms.valid": false }]);
  send({ phone: "0660 1234567" });
  const [now = {}, ...others] = shown();
  expect(others).toEqual([]);
  expect(now).toMatchObject({ "identifiers.phone": "+436601234567" });
  expect(now).not.toHaveProperty(["channels.sms.valid"]);
  expect([...state.owners.keys()]).toContain("1\nphone\n06601234567");
  send({ phone: "+43 660 1234567" });
  expect(shown()).toHaveLength(1);
});

test("a merge shows that the address it brings is none", () => {
  const { send, shown } = system();
  send({ customer_id: "1" });
  send({ anonymousId: "2", email: "nobody" });
  send({ customer_id: "1", anonymousId: "2" });
  expect(shown()).toMatchObject([{ "channels.email.address": "nobody", "channels.email.valid": false }]);
});

const stored = "06601234567";
const canonical = "+436601234567";

test("a stored address is rewritten to its canonical form, wherever its contact shows it, and finds it as before", () => {
  const { send, rewrite, shown, state } = system();
  const attributes = { channels: { sms: { address: stored, subscribeStatus: "subscribed" } } };
  send({ phone: stored }, attributes, accountWith({}));
  expect([rewrite(stored), rewrite(stored)]).toEqual(["rewritten", "unchanged"]);
  const [now = {}, ...others] = shown();
  expect(others).toEqual([]);
  expect(now).toMatchObject({ "identifiers.phone": canonical, "channels.sms.address": canonical });
  expect(now).not.toHaveProperty(["channels.sms.valid"]);
  expect([...state.owners.keys()]).toEqual(expect.arrayContaining([`1\nphone\n${stored}`, `1\nphone\n${canonical}`]));
  send({ phone: "0660 1234567" });
  expect(shown()).toHaveLength(1);
});

test("contacts of one address become one, whichever is older, and an unsubscribe of either holds", () => {
  for (const [first, second] of [
    [stored, canonical],
    [canonical, stored],
  ] as const) {
    const { send, rewrite, shown, contacts } = system();
    send(
      { phone: first, customer_id: "7" },
      { channels: { sms: { subscribeStatus: "unsubscribed" } } },
      accountWith({}),
    );
    const [{ cid = "" } = {}] = contacts();
    send({ phone: second }, { channels: { sms: { address: second, subscribeStatus: "subscribed" } } }, accountWith({}));
    expect(shown()).toHaveLength(2);
    expect([rewrite(stored), rewrite(stored)]).toEqual(["merged", "unchanged"]);
    expect(contacts()).toMatchObject([{ cid }]);
    expect(shown()).toMatchObject([
      {
        "identifiers.phone": canonical,
        "identifiers.customer_id": "7",
        "channels.sms.address": canonical,
        "channels.sms.subscribeStatus": "unsubscribed",
      },
    ]);
  }
});

test("contacts of one address that differ in another identifier stay apart, as without merges in the account", () => {
  const { send, rewrite, shown } = system();
  send({ phone: stored, customer_id: "1" }, {}, accountWith({}));
  send({ phone: canonical, customer_id: "2" });
  expect([rewrite(stored), shown().length]).toEqual(["apart", 2]);
  const other = system();
  other.send({ phone: stored }, {}, accountWith({}));
  other.send({ phone: canonical });
  const unmerging = accountWith({ country: "AT", features: { merge: false } });
  expect([other.rewrite(stored, unmerging), other.shown().length]).toEqual(["apart", 2]);
});

test("a number with 00 that bounced for good is not valid in its canonical form either", () => {
  const identifiers = defaultSettings.identifiers.map((one) => ({
    ...one,
    format: one.name === "phone" ? "string" : one.format,
  }));
  const { send, rewrite, bounce, shown } = system();
  const old = { name: "phone", value: "00436601234567" };
  send({ phone: old.value }, {}, accountWith({ identifiers }));
  bounce(old);
  expect(shown()).toMatchObject([{ "identifiers.phone": old.value, "channels.sms.valid": false }]);
  expect(rewrite(old.value)).toBe("rewritten");
  expect(shown()).toMatchObject([{ "identifiers.phone": canonical, "channels.sms.valid": false }]);
});

test("what is canonical, and what is not an address, is left as it is", () => {
  const { send, rewrite, shown } = system();
  send({ phone: canonical, email: "nobody@", customer_id: "0660" });
  const before = shown();
  expect([rewrite(canonical), rewrite("nobody@", austrian, "email"), rewrite("0660", austrian, "customer_id")]).toEqual(
    ["unchanged", "invalid", "unchanged"],
  );
  expect(shown()).toEqual(before);
});
