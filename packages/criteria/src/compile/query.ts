import { createBinder } from "./binder.ts";
import { CLOCK_SKEW_MS } from "./clock.ts";
import type { NoteCode, Scope } from "./scope.ts";
import { BITMAPS } from "./selection.ts";

export interface CompileOptions {
  /** The account's number. */
  readonly account: number;
  /** UTC milliseconds; left out for the present. */
  readonly asOf?: number;
  /** Meaning of a past `asOf`: the state recorded by then, or today's contacts with the events before it. */
  readonly basis: "recorded" | "event";
  /** IANA name as `canonicalTimezone` spells it. */
  readonly timezone: string;
  /** UTC milliseconds of the service's clock. */
  readonly now: number;
  /** True when the account has merged contacts; false spares the resolution of their numbers. */
  readonly hasMerges: boolean;
  readonly currency: string;
  readonly explain?: boolean;
  readonly sampleSize?: number;
  /** The number of a contact, of which each node says whether it holds it, and what it read. */
  readonly contact?: number;
  readonly page?: NumbersPage;
  /** Numbers of contacts, of which those are answered that match. Rows of others are left out where a leaf can: `count` says nothing then. */
  readonly among?: readonly number[];
  /** Asks for the time zones that the contacts name: in places, and in the attribute of this name. */
  readonly zones?: { readonly attribute: string | undefined };
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
}

/** Contact numbers of one page, in order. */
export interface NumbersPage {
  readonly direction: "asc" | "desc";
  /** The last number of the page before. */
  readonly after?: number | undefined;
  /**
   * The farthest number that is checked: rows between it and `after` alone are read, so the page may be short, and `count` is of
   * what was checked. Left out: all are checked.
   */
  readonly until?: number | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

interface Note {
  readonly path: string;
  readonly code: NoteCode;
  readonly sql: string;
  readonly column: string;
}

export interface Query {
  readonly scope: Scope;
  readonly notes: readonly Note[];
  /** The statement with all sets that were added to the scope. */
  toSql(columns: readonly string[]): string;
  /** Settings that its leaves asked for. */
  settings(): Readonly<Record<string, number>>;
}

export function createQuery(options: CompileOptions): Query {
  const bind = createBinder();
  const account = bind.uint(options.account);
  const sets = new Map<string, string>();
  const notes: Note[] = [];
  const settings: Record<string, number> = {};
  const { asOf, now } = options;
  const isPast = options.basis === "recorded" && asOf !== undefined && asOf < now;
  const scope: Scope = {
    bind,
    clock: clockOf(options),
    account,
    currency: options.currency,
    hasMerges: options.hasMerges,
    within: withinOf(options, { account, bind }),
    ...(isPast && { historyAt: bind.instant(asOf) }),
    sets: BITMAPS,
    addSet: (sql) => {
      const name = sets.get(sql) ?? `s${sets.size}`;
      sets.set(sql, name);
      return name;
    },
    addNote: (path, code, sql) => {
      if (options.explain) notes.push({ path, code, sql, column: `x${notes.length}` });
    },
    groupInOrder: () => {
      settings.optimize_aggregation_in_order = 1;
    },
  };
  const toSql = (columns: readonly string[]) => {
    const texts = [...sets].map(([sql, name]) => `(${sql}) AS ${name}`);
    return `${texts.length > 0 ? `WITH\n  ${texts.join(",\n  ")}\n` : ""}SELECT\n  ${columns.join(",\n  ")}`;
  };
  return { scope, notes, toSql, settings: () => settings };
}

/** Rows of merged contacts count for their survivors, whose numbers may lie anywhere: they are read all. */
function withinOf(
  { page, hasMerges, among }: CompileOptions,
  { account, bind }: Pick<Scope, "account" | "bind">,
): string {
  if (among !== undefined) {
    const asked = bind.ints(among);
    if (!hasMerges) return ` AND contact IN ${asked}`;
    return ` AND (contact IN ${asked} OR contact IN (SELECT contact FROM contact_aliases WHERE account = ${account} AND survivor IN ${asked}))`;
  }
  if (page?.until === undefined) return "";
  const { direction, after, until } = page;
  const beyond = direction === "asc" ? bind.uint(after === undefined ? 0 : after + 1) : bind.uint(until);
  const upTo = direction === "asc" ? bind.uint(until) : after === undefined ? undefined : bind.uint(after - 1);
  const range = `contact >= ${beyond}${upTo === undefined ? "" : ` AND contact <= ${upTo}`}`;
  if (!hasMerges) return ` AND ${range}`;
  return ` AND (${range} OR contact IN (SELECT contact FROM contact_aliases WHERE account = ${account}))`;
}

function clockOf({ asOf, now, basis, timezone }: CompileOptions): Scope["clock"] {
  const reference = asOf ?? now;
  const end = asOf ?? now + CLOCK_SKEW_MS;
  if (asOf === undefined) return { reference, end, timezone };
  return { reference, end, timezone, seen: asOf, ...(basis === "event" && { seenOrders: asOf }) };
}
