import {
  type Account,
  accountSettings,
  hashAddress,
  hashEncodings,
  hashedNameOf,
  versionOf,
} from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import { expect, test } from "vitest";
import { createContactactivities } from "./createContactactivities/createContactactivities.ts";
import { mergeContacts } from "./mergeContacts/mergeContacts.ts";
import type { LoggedOperation } from "./operation.ts";
import { upsertContact } from "./upsertContact/upsertContact.ts";

const ANN = "ann@example.com";
const PHONE = "+4915112345678";
const hashed = (
  value: string,
  { encoding = "sha256", name = "email" }: { encoding?: "sha256" | "md5"; name?: string } = {},
) => ({
  [hashedNameOf({ encoding, name })]: hashAddress(encoding, value),
});
const event = { name: "browse", time: "2026-01-01" };
const create = { canBeCreated: true, canBeUpdated: true } as const;

/** One system; each record has a version of its own. */
function system({ isOn = true } = {}) {
  const settings = accountSettings.parse({ partners: { cdpsync: { hashedIdentities: isOn } } });
  const account: Account = { number: 1, id: "a".repeat(24), name: "hashes", settings };
  const state = new MemoryState();
  let offset = 0;
  const path = (operation: LoggedOperation, members: object, at?: number): VersionedRecord => {
    offset++;
    const version = versionOf(at ?? 1_000_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    return { operation, record: { id: `r${offset}:0:0`, receivedAt: 0, ...members }, version };
  };
  const apply = (...records: VersionedRecord[]) => state.apply(account, records);
  const upsert = (contact: object, at?: number) => path(upsertContact, { contact }, at);
  const activity = (identifiers: object, at?: number) =>
    path(createContactactivities, { contact: { identifiers, canBeCreated: true }, event }, at);
  const live = () =>
    [...state.contacts.values()].filter(({ mergedInto }) => mergedInto === null).map((row) => fromRow(row));
  return { apply, upsert, activity, place: path, live, state };
}

test("a hash of an address, in any encoding, finds the contact that has the address", () => {
  const { apply, upsert, activity } = system();
  const [created] = apply(
    upsert({ identifiers: { email: " Ann@Example.com", phone: PHONE }, attributes: { a: 1 }, ...create }),
  );
  expect(created).toMatchObject({ kind: "applied" });
  const contact = created?.kind === "applied" ? created.contact : undefined;
  for (const encoding of hashEncodings) {
    const byEmail = { [hashedNameOf({ encoding, name: "email" })]: hashAddress(encoding, ANN) };
    expect(apply(activity(byEmail))).toEqual([expect.objectContaining({ kind: "applied", contact })]);
    const byPhone = { [hashedNameOf({ encoding, name: "phone" })]: hashAddress(encoding, PHONE) };
    expect(apply(activity(byPhone))).toEqual([expect.objectContaining({ kind: "applied", contact })]);
  }
});

test("a hash of nobody makes no contact, whatever the record may create", () => {
  const { apply, upsert, activity, live } = system();
  const outcomes = apply(activity(hashed(ANN)), upsert({ identifiers: hashed(ANN), attributes: { a: 1 }, ...create }));
  expect(outcomes.map((one) => (one.kind === "rejected" ? one.code : one.kind))).toEqual([
    "CONTACTS_CONTACT_NOT_FOUND",
    "CONTACTS_CONTACT_NOT_FOUND",
  ]);
  expect(live()).toEqual([]);
});

test("a hash is never kept: a contact made by its neighbour has the neighbour alone", () => {
  const { apply, upsert, live } = system();
  apply(upsert({ identifiers: { customer_id: "7", ...hashed(ANN) }, attributes: { a: 1 }, ...create }));
  expect(live().map(({ identifiers }) => [...identifiers.keys()])).toEqual([["customer_id"]]);
});

test("a hash of nobody beside another identifier is a warning, and no hash of somebody is", () => {
  const { apply, upsert, place: position } = system();
  const by = (identifiers: object, attributes: object = { a: 1 }) => upsert({ identifiers, attributes, ...create });
  const events = (identifiers: object) => position(createContactactivities, { contact: { identifiers }, event });
  const outcomes = apply(
    by({ customer_id: "7", ...hashed(ANN) }),
    by({ customer_id: "7", ...hashed(ANN) }, { a: 2 }),
    events({ customer_id: "7", ...hashed(ANN) }),
    by({ customer_id: "8", email: "b@x.org", ...hashed("b@x.org") }),
    by({ customer_id: "7", ...hashed(ANN) }, { email: ANN }),
    events({ customer_id: "7", ...hashed(ANN) }),
  );
  const nobody = ["CONTACTS_CONTACT_NOT_FOUND"];
  const warnings = outcomes.map((one) => (one.kind === "applied" ? [...one.warnings] : one));
  expect(warnings).toEqual([nobody, nobody, nobody, [], [], []]);
});

test("what stands beside a hash that finds somebody is attached to that contact", () => {
  const { apply, upsert, live } = system();
  apply(upsert({ identifiers: { email: ANN }, attributes: { a: 1 }, ...create }));
  apply(upsert({ identifiers: { customer_id: "7", ...hashed(ANN) }, attributes: { b: 2 }, ...create }));
  expect(live().map(({ identifiers }) => Object.fromEntries(identifiers))).toEqual([
    { email: [ANN], customer_id: ["7"] },
  ]);
});

test("a hash alone is rejected in an account that has not asked for it, and left out beside other identifiers", () => {
  const { apply, upsert, activity, live } = system({ isOn: false });
  apply(upsert({ identifiers: { email: ANN }, attributes: { a: 1 }, ...create }));
  const [alone, beside] = apply(
    activity(hashed(ANN)),
    upsert({ identifiers: { customer_id: "7", ...hashed(ANN) }, attributes: { a: 1 }, ...create }),
  );
  expect(alone).toMatchObject({ kind: "rejected", code: "HASHED_IDENTITIES_OFF" });
  expect(beside).toMatchObject({ kind: "applied" });
  expect(live()).toHaveLength(2);
});

test("a hash means within a batch what it means one record after another", () => {
  const records = ({ upsert, activity }: ReturnType<typeof system>) => [
    activity(hashed(ANN)),
    upsert({ identifiers: { customer_id: "7" }, attributes: { email: ANN }, ...create }),
    activity(hashed(ANN, { encoding: "md5" })),
    upsert({ identifiers: { customer_id: "7" }, attributes: { email: "new@example.com" }, ...create }),
    activity(hashed(ANN)),
    activity(hashed("new@example.com")),
  ];
  const together = system();
  const inOne = together.apply(...records(together));
  const apart = system();
  const oneByOne = records(apart).flatMap((record) => apart.apply(record));
  expect(inOne).toEqual(oneByOne);
  expect(inOne.map(({ kind }) => kind)).toEqual(["rejected", "applied", "applied", "applied", "rejected", "applied"]);
});

test("a hash finds through a merge whom its address finds", () => {
  const { apply, upsert, activity, place } = system();
  apply(upsert({ identifiers: { email: ANN }, attributes: { a: 1 }, ...create }));
  const [built] = apply(upsert({ identifiers: { customer_id: "7" }, attributes: { a: 1 }, ...create }));
  const previous = { identifiers: hashed(ANN) };
  apply(place(mergeContacts, { contact: { identifiers: { customer_id: "7" } }, previous }));
  expect(apply(activity(hashed(ANN)))).toEqual([{ ...built, warnings: expect.anything() }]);
});

test("a record of before a change of address that comes again finds by the hash whom it found", () => {
  const { apply, upsert, activity } = system();
  const [result] = apply(upsert({ identifiers: { customer_id: "7" }, attributes: { email: ANN }, ...create }, 1_000));
  apply(upsert({ identifiers: { customer_id: "7" }, attributes: { email: "new@example.com" }, ...create }, 3_000));
  apply(upsert({ identifiers: { email: ANN }, attributes: { a: 1 }, ...create }, 4_000));
  const contact = result?.kind === "applied" ? result.contact : undefined;
  expect(apply(activity(hashed(ANN), 2_000))).toEqual([expect.objectContaining({ kind: "applied", contact })]);
});
