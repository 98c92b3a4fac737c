import type { FormerList } from "@headwater/criteria";
import type { NamedList } from "@headwater/records/lists/namedLists";

/** Moments of a trend, milliseconds since 1970, both included. */
interface Stretch {
  readonly since: number;
  readonly asOf: number;
}

/** Returns whether a list can be named at a moment: one that was deleted can while it existed. */
export function canBeNamed({ createdAt, deletedAt }: NamedList, at: number): boolean {
  return deletedAt === null || (createdAt <= at && deletedAt > at);
}

/**
 * Ranks lists of one name, the one that is meant first: a list that existed at the moment before one that was created later, and one that
 * still exists before those deleted since.
 */
export function rankOf({ createdAt, deletedAt }: NamedList, at: number): number {
  if (createdAt > at) return 2;
  return deletedAt === null ? 0 : 1;
}

/** Finds the lists of one name that a count as of an earlier moment would mean, and up to when; none while it is always the last one. */
export function formerLists(
  ofName: readonly NamedList[],
  { since, asOf }: Stretch,
  clearsOf: (list: NamedList) => readonly string[],
): FormerList[] {
  if (ofName.length < 2) return [];
  const turns = ofName.flatMap(({ createdAt, deletedAt }) => [createdAt, deletedAt ?? createdAt]);
  const from = [since, ...new Set(turns.filter((at) => at > since && at <= asOf))].toSorted((a, b) => a - b);
  const found: { readonly list: NamedList; until: number }[] = [];
  for (const [place, at] of from.entries()) {
    const list = meantAt(ofName, at);
    const until = from[place + 1] ?? Number.POSITIVE_INFINITY;
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
