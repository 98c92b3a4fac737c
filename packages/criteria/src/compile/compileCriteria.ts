import type { CriteriaNode } from "../criteria.ts";
import { definitionOf, isReference, type LeafTable } from "../leaves/leaf.ts";
import { leaves } from "../leaves/leaves.ts";
import { aliasRevisionSql, mergedNumbers } from "./merges.ts";
import { type ExplainedNode, eligibleSelection, nodeSelection } from "./nodeSelection.ts";
import { type CompileOptions, createQuery, type NumbersPage } from "./query.ts";
import type { NoteCode, Scope } from "./scope.ts";
import { intersect, type Selection } from "./selection.ts";

export interface CompiledCriteria {
  /** One statement that answers one row: `count`, `sample`, `page`, `among` and `zones` when asked, the columns of nodes and notes, and `aliasRevision`. */
  readonly sql: string;
  /** Values of the placeholders `{p0:Type}`, for the client's `query_params`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Settings that the statement has to be run with. */
  readonly settings: Readonly<Record<string, number>>;
  readonly nodes: readonly { readonly path: string; readonly column: string }[];
  /** Columns of the contact that was asked for: whether the count holds it, and of each node, itself first. */
  readonly contact?: { readonly in: string; readonly nodes: readonly ContactColumns[] };
  readonly notes: readonly { readonly path: string; readonly code: NoteCode; readonly column: string }[];
}

export interface ContactColumns {
  readonly path: string;
  /** Column that is 1 where the node holds the contact. */
  readonly in: string;
  /** JSON of what the node read, empty where the contact has nothing of it. Absent for lists and logic. */
  readonly saw?: string;
  /** The contact is a member of the list when the node holds it, or when it does not. */
  readonly isMember?: boolean;
}

/**
 * Compiles checked criteria to one ClickHouse query: every leaf is a bitmap of contact numbers, logic is bitmap algebra,
 * and complements are taken in the set of all contacts that are not deleted.
 */
export function compileCriteria(
  criteria: CriteriaNode,
  options: CompileOptions,
  table: LeafTable = leaves,
): CompiledCriteria {
  const { scope, notes, toSql, settings } = createQuery(options);
  const explained: ExplainedNode[] = [];
  const root = nodeSelection(criteria, { scope, table, explained });
  const selected = options.eligibleFor
    ? intersect(scope.sets, root, eligibleSelection(options.eligibleFor, scope))
    : root;
  const nodes = options.explain ? explained.map((node, index) => ({ ...node, column: `n${index}` })) : [];
  const { contact } = options;
  const asked = contact === undefined ? [] : explained;
  const live = liveContacts([selected, ...nodes, ...asked].map(selectionOf), scope);
  const columns = [`bitmapCardinality(${live(selected)}) AS count`];
  if (options.sampleSize) columns.push(`${sampleSql(live(selected), options.sampleSize, scope)} AS sample`);
  if (options.page) columns.push(`${pageSql(live(selected), options.page, scope)} AS page`);
  if (options.among) columns.push(`${amongSql(live(selected), options.among, scope)} AS among`);
  if (options.zones) columns.push(`${zonesSql(live(selected), options.zones.attribute, scope)} AS zones`);
  columns.push(...nodes.map(({ selection, column }) => `bitmapCardinality(${live(selection)}) AS ${column}`));
  const ofContact = contact === undefined ? undefined : contactColumns(explained, { contact, live, scope, table });
  if (ofContact !== undefined) columns.push(`${ofContact.holds(selected)} AS ic`, ...ofContact.columns);
  columns.push(...notes.map(({ sql, column }) => `(${sql}) AS ${column}`));
  // Columns are evaluated in their order, each set where it is named first: the mark is read when all sets have been.
  columns.push(`${aliasRevisionSql(scope.account)} AS aliasRevision`);
  return {
    sql: toSql(columns),
    params: scope.bind.params,
    settings: { ...MARKED_LAST, ...settings(), ...(options.page?.until !== undefined && NARROW) },
    nodes: nodes.map(({ path, column }) => ({ path, column })),
    ...(ofContact && { contact: { in: "ic", nodes: ofContact.nodes } }),
    notes,
  };
}

function selectionOf(node: Selection | ExplainedNode): Selection {
  return "selection" in node ? node.selection : node;
}

interface OfContact {
  readonly contact: number;
  readonly live: (selection: Selection) => string;
  readonly scope: Scope;
  readonly table: LeafTable;
}

/** Columns that say of each node whether it holds the contact, and what it read. */
function contactColumns(explained: readonly ExplainedNode[], { contact, live, scope, table }: OfContact) {
  const number = scope.bind.uint(contact);
  const columns: string[] = [];
  const holds = (selection: Selection) => `bitmapContains(${live(selection)}, ${number})`;
  const nodes = explained.map(({ path, selection, leaf }, index): ContactColumns => {
    columns.push(`${holds(selection)} AS i${index}`);
    const definition = leaf && definitionOf(leaf, table);
    const ofContacts = definition === undefined || isReference(definition) ? undefined : definition;
    const saw = leaf && ofContacts?.saw?.(leaf, scope, number);
    const isMember = leaf && ofContacts?.isMember?.(leaf);
    if (saw !== undefined) columns.push(`${saw} AS w${index}`);
    return {
      path,
      in: `i${index}`,
      ...(saw !== undefined && { saw: `w${index}` }),
      ...(isMember !== undefined && { isMember }),
    };
  });
  return { columns, nodes, holds };
}

export interface CompiledNumbers {
  /** A SELECT of one column, `contact`: the numbers of the contacts that match, in their order. */
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Settings that the statement has to be run with. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Compiles checked criteria to a statement whose rows are the contacts that match: as many as there are, for an INSERT SELECT. */
export function compileNumbers(
  criteria: CriteriaNode,
  options: CompileOptions,
  table: LeafTable = leaves,
): CompiledNumbers {
  const { scope, toSql, settings } = createQuery(options);
  const selected = nodeSelection(criteria, { scope, table, explained: [] });
  const set = liveContacts([selected], scope)(selected);
  const sql = toSql([`arrayJoin(${inOrder(set)}) AS contact`]);
  return { sql, params: scope.bind.params, settings: settings() };
}

/** Aliases are read by sets, too: the mark is not to be read from what they saw, but behind them. */
const MARKED_LAST = { enable_shared_storage_snapshot_in_query: 0 };
/** Few contacts are checked then, and threads would cost more than they read. */
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

/** Returns those of the numbers that a set holds. */
function amongSql(set: string, numbers: readonly number[], { bind }: Scope): string {
  return inOrder(`bitmapAnd(${set}, bitmapBuild(arrayMap(number -> toUInt64(number), ${bind.ints(numbers)})))`);
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

/**
 * Answers how a selection becomes a bitmap of live contacts: neither deleted nor merged. The numbers of all contacts are read
 * only when one of the selections needs them, for a complement or because its numbers may have no row yet. Else the erased ones
 * are taken out, which an index finds (4 ms instead of 20 for 1M contacts), and the merged ones, whose aliases tell them.
 */
function liveContacts(selections: readonly Selection[], scope: Scope): (selection: Selection) => string {
  const needsAll = selections.some(({ complement, known }) => complement || !known);
  return needsAll ? fromAll(scope) : fromKnown(scope);
}

function fromKnown(scope: Scope): (selection: Selection) => string {
  const { account } = scope;
  const erased = scope.addSet(
    `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE account = ${account} AND erased = 1${scope.within}`,
  );
  return ({ set }) => withoutMerged(`bitmapAndnot(${set}, ${erased})`, scope);
}

function fromAll(scope: Scope): (selection: Selection) => string {
  const { account, historyAt, within } = scope;
  const created = historyAt === undefined ? "" : ` AND created_at <= ${historyAt}`;
  const live = `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE account = ${account} AND deleted = 0${created}${within}`;
  const all = withoutMerged(scope.addSet(live), scope);
  return ({ set, complement }) => `${complement ? "bitmapAndnot" : "bitmapAnd"}(${all}, ${set})`;
}

/** The row of a merged contact may say so a moment after its alias does. */
function withoutMerged(set: string, scope: Scope): string {
  return scope.hasMerges ? `bitmapAndnot(${set}, ${mergedNumbers(scope)})` : set;
}
