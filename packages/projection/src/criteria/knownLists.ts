import type { ListReference, ListReferences } from "@headwater/audience";
import {
  findNamedLists,
  type NamedList,
  pageLists,
  readClearsAfter,
  readClearsBelow,
  readListsGoneSince,
} from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";
import { versionAfter } from "./versionAfter.ts";

/** Names of lists that are looked at for the ones a misspelled name may have meant. */
const SUGGESTED_MAX = 20_000;

export interface ListsRead {
  /** The account's number. */
  readonly account: number;
  readonly wanted: ListReferences | "all";
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  /** Milliseconds since 1970: the first moment of several up to `asOf`, of which every clear counts. */
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
  const clearsOf = Map.groupBy([...earlier, ...later], ({ list }) => list);
  return found.map((list) => toReference(list, clearsOf.get(list.id) ?? []));
}

async function findLists(session: Session, { account, wanted, asOf }: ListsRead): Promise<NamedList[]> {
  const found =
    wanted === "all"
      ? await findAll(session, account, asOf)
      : await findNamedLists(session, { account, ...wanted, asOf });
  return asOf === undefined ? found : found.toSorted((a, b) => rank(a, asOf) - rank(b, asOf));
}

async function findAll(session: Session, account: number, asOf: number | undefined): Promise<NamedList[]> {
  const lists = await pageLists(session, { account, rowsMax: SUGGESTED_MAX });
  const gone = asOf === undefined ? [] : await readListsGoneSince(session, { account, asOf, rowsMax: SUGGESTED_MAX });
  return [...lists.map((list) => ({ ...list, deletedAt: null })), ...gone];
}

/**
 * Ranks lists of one name, the one that is meant first: a list that existed at the moment before one that was created later, and one that
 * still exists before those deleted since.
 */
function rank({ createdAt, deletedAt }: NamedList, asOf: number): number {
  if (createdAt > asOf) return 2;
  return deletedAt === null ? 0 : 1;
}

function toReference(
  { id, name, clearedVersion }: NamedList,
  others: readonly { readonly version: string }[],
): ListReference {
  const versions = [clearedVersion, ...others.map(({ version }) => version)];
  const clears = [...new Set(versions.filter((clear) => typeof clear === "string"))];
  return clears.length > 0 ? { id, name, clears } : { id, name };
}
