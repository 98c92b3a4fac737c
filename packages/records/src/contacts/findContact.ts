import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import {
  type Account,
  canonicalName,
  type Identifier,
  identifierRules,
  identifiersInOrder,
} from "@headwater/contracts";
import { hasForbiddenText } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";
import {
  type ContactWithLists,
  readContactByCid,
  readContactByIdentifiers,
  viewContactByCid,
  viewContactByIdentifiers,
} from "./contactReads.ts";
import type { StoredContact } from "./contacts.ts";

/** Readings of a `{primary_key}` in the order of trial: as a cID, then as values of names. */
export interface PrimaryKey {
  readonly cid?: string;
  readonly identifiers: readonly Identifier[];
}

const CID = /^[0-9a-f]{24}$/i;

/**
 * `cID:…` or `<name>:…` when the part before the first colon is an identifier name of the account; else bare: 24 hex are
 * tried as cID first, then as values of primary names.
 */
export function readPrimaryKey(text: string, { settings }: Account): PrimaryKey {
  const { formats } = identifierRules(settings);
  const colon = text.indexOf(":");
  const name = canonicalName(text.slice(0, Math.max(0, colon)));
  const value = text.slice(colon + 1);
  if (name === "cID") return cidOnly(value.trim());
  if (formats.has(name) || /^channels\..+\.address$/.test(name)) {
    return { identifiers: identifiersOf(name, value, settings) };
  }
  const primary = settings.identifiers.filter((entry) => entry.kind === "primary" && entry.name !== "cID");
  const identifiers = primary.flatMap((entry) => identifiersOf(entry.name, text, settings));
  return CID.test(text) ? { cid: text.toLowerCase(), identifiers } : { identifiers };
}

function cidOnly(value: string): PrimaryKey {
  return CID.test(value) ? { cid: value.toLowerCase(), identifiers: [] } : { identifiers: [] };
}

/** Returns the identifier in its canonical form, then in the one that a contact of before may have it in. */
function identifiersOf(name: string, value: string, settings: Account["settings"]): Identifier[] {
  if (hasForbiddenText(value)) return [];
  const read = identifiersInOrder(settings, { [name]: value }, undefined);
  return read.kind === "ok" ? [...read.identifiers, ...(read.former ?? [])] : [];
}

/** The live contact that the key finds. */
export async function findContact(
  session: Session,
  account: Account,
  { cid, identifiers }: PrimaryKey,
): Promise<StoredContact | undefined> {
  const byCid = cid === undefined ? undefined : await readContactByCid(session, account.number, cid);
  if (byCid !== undefined || identifiers.length === 0) return byCid;
  return readContactByIdentifiers(session, account.number, identifiers);
}

/** The same with its lists, as an answer needs it. */
export async function findContactView(
  session: Session,
  account: Account,
  { cid, identifiers }: PrimaryKey,
): Promise<ContactWithLists | undefined> {
  const byCid = cid === undefined ? undefined : await viewContactByCid(session, account.number, cid);
  return byCid ?? viewContactByIdentifiers(session, account.number, identifiers);
}

export interface ContactFilters {
  readonly cID?: string | undefined;
  readonly email?: string | undefined;
}

/** `findFiltered` where nothing else is read with it. Both filters are read in one snapshot: a merge may come between two reads. */
export function findFilteredAlone(postgres: Postgres, account: Account, filters: ContactFilters) {
  const find = (session: Session) => findFiltered(session, account, filters);
  return filters.cID === undefined || filters.email === undefined ? find(postgres) : withSnapshot(postgres, find);
}

/** The contact of the filters `cID` and `email`: `all` without one, `none` when nobody passes. */
export async function findFiltered(
  session: Session,
  account: Account,
  filters: ContactFilters,
): Promise<StoredContact | "all" | "none"> {
  const keys = [
    ...(filters.cID === undefined ? [] : [`cID:${filters.cID}`]),
    ...(filters.email === undefined ? [] : [`channels.email.address:${filters.email}`]),
  ];
  if (keys.length === 0) return "all";
  const found = await Promise.all(keys.map((key) => findContact(session, account, readPrimaryKey(key, account))));
  const [first] = found;
  return first !== undefined &&
    found.every((contact: { readonly number: number } | undefined) => contact?.number === first.number)
    ? first
    : "none";
}
