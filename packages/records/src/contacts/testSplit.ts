import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import { fromRow } from "./contactDocument.ts";
import { membersView } from "./membersView.ts";
import { splitContact } from "./splitContact.ts";

export const account: Account = { number: 1, id: "a".repeat(24), name: "split", settings: defaultSettings };
export const SURVIVOR = { customer_id: "1" };
export const OTHER = { email: "b@x" };

/** A state and a clock of tests: each write has a version of its own. */
export function system() {
  const state = new MemoryState();
  state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
  state.defineList(1, { id: 2, name: "news", clearedVersion: undefined });
  let writes = 0;
  const next = () => {
    writes += 1;
    const version = versionOf(1_000 + writes, { lane: 1, partition: 0, offset: writes, place: 0 });
    return { account, recordId: `r${writes}:0:0`, version };
  };
  const send = (name: string, members: object) => {
    const operation = loggedOperations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const { recordId, version } = next();
    return state.apply(account, [{ operation, version, record: { id: recordId, receivedAt: 0, ...members } }])[0];
  };
  const numberOf = (name: string, value: string) => state.owners.get(`1\n${name}\n${value}`) ?? 0;
  const split = (channels: readonly string[], key = SURVIVOR.customer_id) => {
    const origin = next();
    return state.write(account, (view) => {
      return splitContact(view, view.contactByNumber(numberOf("customer_id", key)), channels, origin);
    });
  };
  return { state, send, split, next, numberOf };
}
export type System = ReturnType<typeof system>;

export const upsert = (identifiers: object, attributes: object, more: object = {}) => ({
  contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true, ...more },
});
/** Everything of the state that anyone can see, and who is found by what. */
export function seen({ state }: System): unknown {
  const contacts = [...state.contacts.values()].map((row) => {
    const contact = fromRow(row);
    const displayed = [...membersView(contact, "")].map(([path, { value }]) => [path, value]);
    const identifiers = [...contact.identifiers].sort();
    return {
      number: contact.number,
      mergedInto: contact.mergedInto,
      createdAt: contact.createdAt,
      shown: displayed.sort(),
      identifiers,
    };
  });
  const lists = [...state.memberships.values()]
    .filter(({ present }) => present)
    .map(({ list, contact, joinedAt }) => [list, contact, joinedAt]);
  const orders = [...state.orders].map(([key, { contact }]) => [key, contact]);
  const carts = [...state.carts].map(([contact, { doc }]) => [contact, JSON.parse(doc).lines]);
  const full = carts.filter(([, lines]) => Array.isArray(lines) && lines.length > 0);
  return [contacts, [...state.owners], lists, orders, full, [...state.aliases]].map((part) => part.sort());
}

export function shown({ state, numberOf }: System, name: string, value: string): Record<string, unknown> {
  const row = state.contacts.get(numberOf(name, value));
  if (row === undefined) throw new Error(`nobody is ${value}`);
  return Object.fromEntries([...membersView(fromRow(row), "")].map(([path, member]) => [path, member.value]));
}
