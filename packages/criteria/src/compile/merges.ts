import type { Scope } from "./scope.ts";

/**
 * Resolves a set of numbers as they stand in rows: numbers of merged contacts are replaced by their survivors'. Answers
 * an expression; without merges it is the set itself.
 */
export function resolvedSet(sql: string, scope: Scope): string {
  return resolved(scope.addSet(sql), scope);
}

/** Resolves a set by its name. */
export function resolved(set: string, scope: Scope): string {
  if (!scope.hasMerges) return set;
  const merged = mergedNumbers(scope);
  const isMerged = `bitmapContains(bitmapAnd(${set}, ${merged}), contact)`;
  const survivors = scope.addSet(`SELECT groupBitmapState(survivor) ${aliasesOf(scope)} AND ${isMerged}`);
  return `bitmapOr(bitmapAndnot(${set}, ${merged}), ${survivors})`;
}

/** A query of the numbers under which rows of these contacts may stand: their own, and those merged into them. */
export function numbersOf(contacts: string, scope: Scope): string {
  const own = `SELECT arrayJoin(bitmapToArray(${contacts})) AS number`;
  if (!scope.hasMerges) return own;
  return `${own} UNION ALL SELECT contact AS number ${aliasesOf(scope)} AND bitmapContains(${contacts}, survivor)`;
}

/** The name of the set of all numbers that are aliases. */
export function mergedNumbers(scope: Scope): string {
  return scope.addSet(`SELECT groupBitmapState(contact) ${aliasesOf(scope)}`);
}

/** A contact that was merged and lives again has an alias whose survivor is 0. */
function aliasesOf({ account }: Scope): string {
  return `FROM contact_aliases FINAL WHERE account = ${account} AND survivor > 0`;
}

/** The parts of a query that groups rows by the contact they belong to now. `rows` names the rows' table or subquery. */
export interface ResolvedRows {
  readonly from: string;
  /** The contact number of a row, resolved. */
  readonly contact: string;
}

export function resolvedRows(rows: string, { hasMerges, account }: Scope): ResolvedRows {
  if (!hasMerges) return { from: `${rows} AS r`, contact: "r.contact" };
  const aliases = `(SELECT contact AS merged, survivor FROM contact_aliases FINAL WHERE account = ${account})`;
  return {
    from: `${rows} AS r LEFT ANY JOIN ${aliases} AS a ON r.contact = a.merged`,
    contact: "if(a.survivor = 0, r.contact, a.survivor)",
  };
}

/**
 * Distinguishes one state of an account's merges from another: the greatest revision of its aliases as text, "0" without any.
 * @param account its number, bound.
 */
export function aliasRevisionSql(account: string): string {
  return `(SELECT toString(max(revision)) FROM contact_aliases WHERE account = ${account})`;
}
