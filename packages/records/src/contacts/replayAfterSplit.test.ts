import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { splitContact } from "./splitContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "replay", settings: defaultSettings };
const CUSTOMER = { customer_id: "1" };
const MAIL = { email: "b@x" };

/** A log whose records can be folded again under the versions and ids they had. */
function system() {
  const state = new MemoryState();
  const log: { readonly name: string; readonly offset: number; readonly members: object }[] = [];
  const versionAt = (offset: number) => versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
  let offset = 0;
  const fold = (entry: (typeof log)[number]) => {
    const operation = loggedOperations.find(({ name }) => name === entry.name);
    if (operation === undefined) throw new Error(`no operation ${entry.name}`);
    const record = { id: `r${entry.offset}:0:0`, receivedAt: 0, ...entry.members };
    return state.apply(account, [{ operation, version: versionAt(entry.offset), record }])[0];
  };
  const send = (name: string, members: object, at = ++offset) => {
    log.push({ name, offset: at, members });
    return fold({ name, offset: at, members });
  };
  const split = (channels: readonly string[]) => {
    offset += 10;
    const origin = { account, recordId: `s${offset}`, version: versionAt(offset) };
    const number = state.owners.get("1\ncustomer_id\n1") ?? 0;
    state.write(account, (view) => splitContact(view, view.contactByNumber(number), channels, origin));
  };
  return { state, send, split, replay: () => log.map(fold) };
}

const upsert = (identifiers: object, attributes?: object) => ({
  contact: {
    identifiers,
    ...(attributes && { attributes, canBeCreated: true, canBeUpdated: true }),
    mergeOptions: { mergeAllowed: true },
  },
});
/** Lists who is who, and what is written of each. */
function seen({ state }: ReturnType<typeof system>) {
  const contacts = [...state.contacts.values()].map((row) => fromRow(row));
  const known = contacts.map(({ mergedInto, identifiers }) => [mergedInto, [...identifiers].sort()]);
  return { known, written: contacts.map(({ attributes }) => [...attributes].sort()) };
}

const merging = fc.constantFrom(
  { name: "upsertContact", members: upsert({ ...CUSTOMER, ...MAIL }) },
  { name: "upsertContact", members: upsert({ ...CUSTOMER, ...MAIL }, { plan: "both" }) },
  { name: "mergeContacts", members: { contact: { identifiers: CUSTOMER }, previous: { identifiers: MAIL } } },
);

test("law: the whole log folded again over a state in which a merge was split leaves both contacts apart", () => {
  const write = fc.tuple(fc.constantFrom(CUSTOMER, MAIL, { ...CUSTOMER, ...MAIL }), fc.constantFrom("x", "y"));
  const own = fc.tuple(fc.constantFrom(CUSTOMER, MAIL), fc.constantFrom("x", "y"));
  fc.assert(
    fc.property(merging, fc.array(write, { maxLength: 3 }), fc.array(own, { maxLength: 3 }), (merge, joint, after) => {
      const one = system();
      one.send("upsertContact", upsert(CUSTOMER, { plan: "a" }));
      one.send("upsertContact", upsert(MAIL, { plan: "b" }));
      one.send(merge.name, merge.members);
      for (const [identifiers, plan] of joint) one.send("upsertContact", upsert(identifiers, { plan }));
      one.split(["email"]);
      for (const [identifiers, plan] of after) one.send("upsertContact", upsert(identifiers, { plan }));
      const before = seen(one);
      one.replay();
      const again = seen(one);
      expect(one.state.merges).toHaveLength(1);
      expect(again.known).toEqual(before.known);
      // What was written while both were one is the survivor's; written again it meets whom it names.
      if (joint.length === 0) expect(again).toEqual(before);
    }),
    { numRuns: 150 },
  );
});

test("a later record brings both together again, and what the first merge's record says is not done twice", () => {
  const one = system();
  one.send("upsertContact", upsert(CUSTOMER, { plan: "a" }));
  one.send("upsertContact", upsert(MAIL, { plan: "b" }));
  one.send("upsertContact", upsert({ ...CUSTOMER, ...MAIL }, { plan: "both" }));
  one.split(["email"]);
  expect(one.replay()[2]).toMatchObject({ kind: "skipped", code: "DUPLICATE" });
  expect(one.send("upsertContact", upsert({ ...CUSTOMER, ...MAIL }))).toMatchObject({ kind: "applied", contact: 1 });
  expect(one.state.merges).toHaveLength(2);
});

test("a record of before the split that comes late leaves both apart and says so", () => {
  const one = system();
  one.send("upsertContact", upsert({ ...CUSTOMER, ...MAIL }, { plan: "a" }));
  one.split(["email"]);
  const late = one.send("upsertContact", upsert({ ...CUSTOMER, ...MAIL }), 2);
  expect(late).toMatchObject({ kind: "skipped", code: "UNCHANGED" });
  expect([...(late?.kind === "skipped" ? late.warnings : [])]).toEqual(["MERGE_CONFLICT"]);
});
