import { type Account, accountSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/operations";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import type { Contact } from "./model.ts";
import { shownMembers } from "./shownMembers.ts";

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
  const contacts = (): Contact[] => [...state.contacts.values()].map((row) => fromRow(row)).filter(isLive);
  const shown = () =>
    contacts().map((one) => Object.fromEntries([...shownMembers(one, "")].map(([path, { value }]) => [path, value])));
  return { state, send, contacts, shown };
}

function isLive({ mergedInto }: Contact): boolean {
  return mergedInto === undefined;
}

test("forms of one address are one contact, and it shows the canonical one", () => {
  const { send, shown } = system();
  for (const email of ["mailto:Ann@example.com", "Ann <ann@example.com>", "ann@example.com\u200b"]) send({ email });
  for (const phone of ["0043 660 1234567", "0660 1234567", "tel:+43-660-1234567"]) send({ phone });
  expect(shown()).toMatchObject([{ "identifiers.email": "ann@example.com" }, { "identifiers.phone": "+436601234567" }]);
});

test("what is no address is stored, is not valid, and warns; a later address is valid", () => {
  const { send, shown } = system();
  const outcomes = send({ email: "ann at example.com", phone: "12" });
  expect(outcomes).toMatchObject([{ kind: "applied", warnings: new Set(["NOT_AN_ADDRESS"]) }]);
  const invalid = { "channels.email.valid": false, "channels.sms.valid": false };
  expect(shown()).toMatchObject([{ "identifiers.email": "ann at example.com", ...invalid }]);
  send({ phone: "12" }, { channels: { email: { address: "ann@example.com" } } });
  const [now = {}] = shown();
  expect(now).toMatchObject({ "channels.email.address": "ann@example.com", "channels.sms.valid": false });
  expect(now).not.toHaveProperty(["channels.email.valid"]);
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
  expect(shown()).toMatchObject([{ "identifiers.email": "nobody", "channels.email.valid": false }]);
});
