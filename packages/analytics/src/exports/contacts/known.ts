import { versionAfter } from "@headwater/audiences/criteria/versionAfter";
import { type Account, type ExportedContactColumn, HIGHEST_VERSION, timeOfVersion } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { readAttributeClears } from "@headwater/records/attributes/attributeClears";
import { readClearsBelow } from "@headwater/records/lists/listClears";
import { readFirstLists } from "@headwater/records/lists/lists";
import { readListsGoneSince } from "@headwater/records/lists/namedLists";

/** Facts that only Postgres knows of the account's contacts. */
export interface KnownOfContacts {
  /** The version at which an attribute was deleted last, by the path of its field. */
  readonly clears: ReadonlyMap<string, string>;
  readonly lists: readonly { readonly id: number; readonly name: string; readonly cleared: string | undefined }[];
}

const LISTS_MAX = 20_000;

/** @param asOf milliseconds since 1970: later clears and deletions are ignored. */
export async function readKnown(
  session: Session,
  account: Account,
  { columns, asOf }: { readonly columns: readonly ExportedContactColumn[]; readonly asOf: number | undefined },
): Promise<KnownOfContacts> {
  const deletions = await readAttributeClears(session, account.number);
  const happened = asOf === undefined ? deletions : deletions.filter(({ version }) => timeOfVersion(version) <= asOf);
  const clears = new Map(happened.map(({ key, version }) => [`attributes.${key}`, version]));
  const needsLists = columns.some(({ source }) => ["lists", "list", "joined"].includes(source.kind));
  if (!needsLists) return { clears, lists: [] };
  const of = { account: account.number, rowsMax: LISTS_MAX };
  const gone = asOf === undefined ? [] : await readListsGoneSince(session, { ...of, asOf });
  const stored = [...(await readFirstLists(session, of)), ...gone];
  const ids = stored.map(({ id }) => id);
  const earlier =
    asOf === undefined ? [] : await readClearsBelow(session, { account: account.number, ids }, versionAfter(asOf));
  const clearOf = new Map(earlier.map(({ list, version }) => [list, version]));
  const lists = stored.map(({ id, name, clearedVersion }) => ({
    id,
    name,
    cleared: asOf === undefined ? (clearedVersion ?? undefined) : clearOf.get(id),
  }));
  return { clears, lists };
}

/** A list whose members left it at once since an instant: between the versions, `above` excluded and `upTo` included, they were on it. */
export interface EmptiedList {
  readonly id: number;
  readonly above: string;
  readonly upTo: string;
}

/** Reads the lists that were cleared or deleted since an instant, in milliseconds since 1970: no membership says so. */
export async function readEmptied(
  session: Session,
  { number: account }: Account,
  { lists }: KnownOfContacts,
  since: number,
): Promise<EmptiedList[]> {
  const cleared = lists.flatMap(({ id, cleared: upTo }) =>
    upTo !== undefined && timeOfVersion(upTo) > since ? [{ id, upTo }] : [],
  );
  const gone = await readListsGoneSince(session, { account, asOf: since, rowsMax: LISTS_MAX });
  const emptied = [...cleared, ...gone.map(({ id }) => ({ id, upTo: HIGHEST_VERSION }))];
  const ids = emptied.map(({ id }) => id);
  const earlier = await readClearsBelow(session, { account, ids }, versionAfter(since));
  const aboveOf = new Map(earlier.map(({ list, version }) => [list, version]));
  return emptied.map(({ id, upTo }) => ({ id, upTo, above: aboveOf.get(id) ?? "" }));
}
