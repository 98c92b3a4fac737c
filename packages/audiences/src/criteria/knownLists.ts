import type { FormerList, ListReference, ListReferences } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { readClearsAfter, readClearsBelow } from "@headwater/records/lists/listClears";
import { listNameKey, readFirstLists } from "@headwater/records/lists/lists";
import { findNamedLists, type NamedList, readListsGoneSince } from "@headwater/records/lists/namedLists";
import { versionAfter } from "./versionAfter.ts";

/** Names of lists that are checked for the ones a misspelled name may have meant. */
const SUGGESTED_MAX = 20_000;

export interface ListsRead {
  /** The account's number. */
  readonly account: number;
  readonly wanted: ListReferences | "all";
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  /** Milliseconds since 1970: the first instant of several up to `asOf`, of which every clear counts, and every list that a name meant. */
  readonly since?: number | undefined;
}

/** Reads the lists that criteria name; at a past moment also those that were deleted since. */
export async function readLists(session: Session, read: ListsRead): Promise<ListReference[]> {
  const { account, asOf, since = asOf } = read;
  const found = await findLists(session, read);
  const ids = found.map(({ id }) => id);
  const earlier = since === undefined ? [] : await readClearsBelow(session, { account, ids }, versionAfter(since));
  const later =
    since === asOf || since === undefined ? [] : await readClearsAfter(session, { account, ids }, versionAfter(since));
  const byList = Map.groupBy([...earlier, ...later], ({ list }) => list);
  const clearsOf = (list: NamedList) => clearsTogether(list, byList.get(list.id) ?? []);
  if (asOf === undefined) return found.map((list) => toReference(list, clearsOf(list)));
  const meant = found.filter((list) => canBeNamed(list, asOf)).toSorted((a, b) => rankOf(a, asOf) - rankOf(b, asOf));
  if (since === asOf || since === undefined) return meant.map((list) => toReference(list, clearsOf(list)));
  const byName = Map.groupBy(found, ({ name }) => listNameKey(name));
  return meant.map((list) => {
    const before = formerLists(byName.get(listNameKey(list.name)) ?? [], { since, asOf }, clearsOf);
    return { ...toReference(list, clearsOf(list)), ...(before.length > 0 && { before }) };
  });
}

function findLists(session: Session, { account, wanted, asOf, since }: ListsRead): Promise<NamedList[]> {
  if (wanted === "all") return findAll(session, account, asOf);
  return findNamedLists(session, { account, ...wanted, asOf, since });
}

async function findAll(session: Session, account: number, asOf: number | undefined): Promise<NamedList[]> {
  const lists = await readFirstLists(session, { account, rowsMax: SUGGESTED_MAX });
  const gone = asOf === undefined ? [] : await readListsGoneSince(session, { account, asOf, rowsMax: SUGGESTED_MAX });
  return [...lists.map((list) => ({ ...list, deletedAt: null })), ...gone];
}

function clearsTogether({ clearedVersion }: NamedList, others: readonly { readonly version: string }[]): string[] {
  const versions = [clearedVersion, ...others.map(({ version }) => version)];
  return [...new Set(versions.filter((clear) => typeof clear === "string"))];
}

function toReference({ id, name }: NamedList, clears: readonly string[]): ListReference {
  return clears.length > 0 ? { id, name, clears } : { id, name };
}

/** Instants of a trend, milliseconds since 1970, both included. */
interface Stretch {
  readonly since: number;
  readonly asOf: number;
}

/** Returns whether a list can be named at an instant: one that was deleted can while it existed. */
function canBeNamed({ createdAt, deletedAt }: NamedList, at: number): boolean {
  return deletedAt === null || (createdAt <= at && deletedAt > at);
}

/**
 * Ranks lists of one name, the one that is meant first: a list that existed at the instant before one that was created later, and one that
 * still exists before those deleted since.
 */
function rankOf({ createdAt, deletedAt }: NamedList, at: number): number {
  if (createdAt > at) return 2;
  return deletedAt === null ? 0 : 1;
}

/** Finds the lists of one name that a count as of an earlier moment would mean, and up to when; none while it is always the last one. */
function formerLists(
  ofName: readonly NamedList[],
  { since, asOf }: Stretch,
  clearsOf: (list: NamedList) => readonly string[],
): FormerList[] {
  if (ofName.length < 2) return [];
  const turns = ofName.flatMap(({ createdAt, deletedAt }) => [createdAt, deletedAt ?? createdAt]);
  const from = [since, ...new Set(turns.filter((at) => at > since && at <= asOf))].toSorted((a, b) => a - b);
  const found: { readonly list: NamedList; until: number }[] = [];
  for (const [index, at] of from.entries()) {
    const list = meantAt(ofName, at);
    const until = from[index + 1] ?? Number.POSITIVE_INFINITY;
    const last = found.at(-1);
    if (list === undefined || list === last?.list) {
      if (last !== undefined) last.until = until;
    } else found.push({ list, until });
  }
  return found.slice(0, -1).map(({ list, until }): FormerList => {
    const clears = clearsOf(list);
    return { id: list.id, until, ...(clears.length > 0 && { clears }) };
  });
}

function meantAt(lists: readonly NamedList[], at: number): NamedList | undefined {
  return lists.filter((list) => canBeNamed(list, at)).toSorted((a, b) => rankOf(a, at) - rankOf(b, at))[0];
}
