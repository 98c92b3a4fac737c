import type { CriteriaNode } from "../nodes.ts";
import type { CompileOptions, NumbersPage } from "./compileOptions.ts";
import { liveContacts } from "./liveContacts.ts";
import { aliasRevisionSql } from "./merges.ts";
import { type ExplainedNode, eligibleSelection, nodeSelection } from "./nodeSelection.ts";
import { createQuery } from "./query.ts";
import type { NoteCode, Scope } from "./scope.ts";
import { intersect } from "./selection.ts";

export interface CompiledCriteria {
  /** One statement that answers one row: `count`, `sample`, `page` and `zones` when asked, the columns of nodes and notes, and `aliasRevision`. */
  readonly sql: string;
  /** Values of the placeholders `{p0:Type}`, for the client's `query_params`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Settings that the statement has to be run with. */
  readonly settings: Readonly<Record<string, number>>;
  readonly nodes: readonly { readonly path: string; readonly column: string }[];
  readonly notes: readonly { readonly path: string; readonly code: NoteCode; readonly column: string }[];
}

/**
 * Compiles checked criteria to one ClickHouse query: every leaf is a bitmap of contact numbers, logic is bitmap algebra,
 * and complements are taken in the set of all contacts that are not deleted.
 */
export function compileCriteria(criteria: CriteriaNode, options: CompileOptions): CompiledCriteria {
  const { scope, notes, toSql, settings } = createQuery(options);
  const explained: ExplainedNode[] = [];
  const root = nodeSelection(criteria, scope, explained);
  const selected = options.eligibleFor
    ? intersect(scope.sets, root, eligibleSelection(options.eligibleFor, scope))
    : root;
  const nodes = options.explain ? explained.map((node, index) => ({ ...node, column: `n${index}` })) : [];
  const live = liveContacts([selected, ...nodes.map(({ selection }) => selection)], scope);
  const columns = [`bitmapCardinality(${live(selected)}) AS count`];
  if (options.sampleSize) columns.push(`${sampleSql(live(selected), options.sampleSize, scope)} AS sample`);
  if (options.page) columns.push(`${pageSql(live(selected), options.page, scope)} AS page`);
  if (options.zones) columns.push(`${zonesSql(live(selected), options.zones.attribute, scope)} AS zones`);
  columns.push(...nodes.map(({ selection, column }) => `bitmapCardinality(${live(selection)}) AS ${column}`));
  columns.push(...notes.map(({ sql, column }) => `(${sql}) AS ${column}`));
  // Columns are evaluated in their order, each set where it is named first: the mark is read when all sets have been.
  columns.push(`${aliasRevisionSql(scope.account)} AS aliasRevision`);
  return {
    sql: toSql(columns),
    params: scope.bind.params,
    settings: { ...MARKED_LAST, ...settings(), ...(options.page?.until !== undefined && NARROW) },
    nodes: nodes.map(({ path, column }) => ({ path, column })),
    notes,
  };
}

export interface CompiledNumbers {
  /** A SELECT of one column, `contact`: the numbers of the contacts that match, in their order. */
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Settings that the statement has to be run with. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Compiles checked criteria to a statement whose rows are the contacts that match: as many as there are, for an INSERT SELECT. */
export function compileNumbers(criteria: CriteriaNode, options: CompileOptions): CompiledNumbers {
  const { scope, toSql, settings } = createQuery(options);
  const selected = nodeSelection(criteria, scope, []);
  const set = liveContacts([selected], scope)(selected);
  const sql = toSql([`arrayJoin(${inOrder(set)}) AS contact`]);
  return { sql, params: scope.bind.params, settings: settings() };
}

/** Aliases are read by sets, too: the mark is not to be read from what they saw, but behind them. */
const MARKED_LAST = { enable_shared_storage_snapshot_in_query: 0 };
/** Few contacts are looked at then, and threads would cost more than they read. */
const NARROW = { max_threads: 1 };

/**
 * The contacts with the smallest hashes: spread over the whole set, the same for the same set, and of a set that grows by a few mostly
 * those of before. Numbers follow the order of creation, so that the smallest of them would be the oldest contacts.
 */
function sampleSql(set: string, size: number, { account, bind }: Scope): string {
  const chosen = `SELECT arrayJoin(bitmapToArray(${set})) AS number ORDER BY ${hashOf("number")} LIMIT ${bind.uint(size)}`;
  const known = `SELECT cid FROM contacts_current FINAL WHERE account = ${account} AND contact IN (SELECT number FROM (${chosen}))`;
  return `(SELECT groupArray(cid) FROM (${known} ORDER BY ${hashOf("contact")}))`;
}

/** Limit of the texts that are answered: there are fewer zones, but any text may stand for one. */
const ZONES_MAX = 1_000;

/** Texts that stand where contacts of a set name their time zone, each once; not all of them are names of zones. */
function zonesSql(set: string, attribute: string | undefined, { account, bind }: Scope): string {
  const isNamed = attribute === undefined ? "" : ` OR field = ${bind.string(`attributes.${attribute}`)}`;
  const where = `account = ${account} AND (kind = 'object'${isNamed}) AND bitmapContains(${set}, contact)`;
  const zone = `if(kind = 'object', JSONExtractString(text, 'tz'), text)`;
  const named = `SELECT ${zone} AS zone FROM contact_fields_current FINAL WHERE ${where} AND zone != ''`;
  return `(SELECT groupUniqArray(${ZONES_MAX})(zone) FROM (${named}))`;
}

function hashOf(number: string): string {
  return `intHash64(${number}), ${number}`;
}

/** No contact has so high a number. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** The numbers of a set, ascending: a bitmap of up to 32 keeps them as they came. */
function inOrder(set: string): string {
  return `arraySort(bitmapToArray(${set}))`;
}

/** A page is read in the order of numbers; from its end those before the last one are turned around. */
function pageSql(set: string, { direction, after, until, skip, rowsMax }: NumbersPage, { bind }: Scope): string {
  const slice = (numbers: string) => `arraySlice(${numbers}, ${bind.uint(skip + 1)}, ${bind.uint(rowsMax)})`;
  if (direction === "asc") {
    const from = bind.uint(after === undefined ? 0 : after + 1);
    const reached = until === undefined ? set : `bitmapSubsetInRange(${set}, 0, ${bind.uint(until + 1)})`;
    return slice(inOrder(`bitmapSubsetLimit(${reached}, ${from}, ${bind.uint(skip + rowsMax)})`));
  }
  const first = bind.uint(until ?? 0);
  const end = after ?? (until === undefined ? undefined : NUMBER_MAX);
  const before = end === undefined ? set : `bitmapSubsetInRange(${set}, ${first}, ${bind.uint(end)})`;
  return slice(`arrayReverse(${inOrder(before)})`);
}
