import type { AudienceLeaf, CriteriaLeaf, CriteriaNode, LogicNode } from "../nodes.ts";
import { cartLeaf } from "./cartLeaf.ts";
import { eligibleSet } from "./channelSets.ts";
import type { CompileOptions, NumbersPage } from "./compileOptions.ts";
import { eventLeaf } from "./eventLeaf.ts";
import { fieldLeaf, type LeafSet } from "./fieldLeaf.ts";
import { listLeaf } from "./listLeaf.ts";
import { liveContacts } from "./liveContacts.ts";
import { aliasRevisionSql } from "./merges.ts";
import { orderLeaf } from "./orderLeaf.ts";
import { createQuery } from "./query.ts";
import { sampleLeaf } from "./sampleLeaf.ts";
import type { NoteCode, Scope } from "./scope.ts";
import { allBut, combined, EVERYBODY, intersect, NOBODY, type Selection, unite } from "./selection.ts";
import { supplementLeaf } from "./supplementLeaf.ts";

export interface CompiledCriteria {
  /** One statement that answers one row: `count`, `sample` and `page` when asked, the columns of nodes and notes, and `mergeMark`. */
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
  const { scope, notes, toSql } = createQuery(options);
  const explained: ExplainedNode[] = [];
  const root = nodeSelection(criteria, scope, explained);
  const selected = options.eligibleFor ? intersect(root, eligibleSelection(options.eligibleFor, scope)) : root;
  const nodes = options.explain ? explained.map((node, index) => ({ ...node, column: `n${index}` })) : [];
  const living = liveContacts([selected, ...nodes.map(({ selection }) => selection)], scope);
  const columns = [`bitmapCardinality(${living(selected)}) AS count`];
  if (options.sampleSize) columns.push(`${sampleSql(living(selected), options.sampleSize, scope)} AS sample`);
  if (options.page) columns.push(`${pageSql(living(selected), options.page, scope)} AS page`);
  columns.push(...nodes.map(({ selection, column }) => `bitmapCardinality(${living(selection)}) AS ${column}`));
  columns.push(...notes.map(({ sql, column }) => `(${sql}) AS ${column}`));
  // Columns are evaluated in their order, each set where it is named first: the mark is read when all sets have been.
  columns.push(`${aliasRevisionSql(scope.account)} AS mergeMark`);
  return {
    sql: toSql(columns),
    params: scope.bind.params,
    settings: { ...MARKED_LAST, ...ROOM, ...(options.page?.until !== undefined && NARROW) },
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
  const { scope, toSql } = createQuery(options);
  const selected = nodeSelection(criteria, scope, []);
  const set = liveContacts([selected], scope)(selected);
  const sql = toSql([`arrayJoin(bitmapToArray(${set})) AS contact`]);
  return { sql, params: scope.bind.params, settings: { ...ROOM } };
}

/** Aliases are read by sets, too: the mark is not to be read from what they saw, but behind them. */
const MARKED_LAST = { enable_shared_storage_snapshot_in_query: 0 };
/** Saved audiences may be written out to 2,000 nodes: such a statement has room where the server's usual bounds would refuse it. */
const ROOM = { max_query_size: 16_777_216, max_ast_elements: 2_000_000, max_expanded_ast_elements: 10_000_000 };
/** Few contacts are looked at then, and threads would cost more than they read. */
const NARROW = { max_threads: 1 };

interface ExplainedNode {
  readonly path: string;
  readonly selection: Selection;
}

/** Adds the node and those below it to `explained`, itself first; a saved audience is one line. */
function nodeSelection(node: CriteriaNode, scope: Scope, explained: ExplainedNode[]): Selection {
  const place = explained.push({ path: node.path, selection: NOBODY }) - 1;
  const selection = isLogic(node) ? logicSelection(node, scope, explained) : leafSelection(node, scope);
  explained[place] = { path: node.path, selection };
  return selection;
}

function isLogic(node: CriteriaNode): node is LogicNode {
  return node.kind === "and" || node.kind === "or" || node.kind === "not";
}

function logicSelection(node: LogicNode, scope: Scope, explained: ExplainedNode[]): Selection {
  const selections = node.nodes.map((child) => nodeSelection(child, scope, explained));
  if (node.kind === "not") return allBut(selections[0] ?? NOBODY);
  const [combine, none] = node.kind === "and" ? [intersect, EVERYBODY] : [unite, NOBODY];
  const together = combined(selections, combine) ?? none;
  if (node.exclude === undefined) return together;
  return intersect(together, allBut(nodeSelection(node.exclude, scope, explained)));
}

/** A contact's row is written before its fields. Events, orders and lists come by other ways and may be there first. */
function leafSelection(leaf: CriteriaLeaf, scope: Scope): Selection {
  if (leaf.kind === "audience") return audienceSelection(leaf, scope);
  return { ...leafSet(leaf, scope), known: leaf.kind === "field" && scope.historyAt === undefined };
}

/** Selects the contacts of a saved audience; notes of its rules are reported at the reference. */
function audienceSelection({ node, path }: AudienceLeaf, scope: Scope): Selection {
  return nodeSelection(node, { ...scope, addNote: (_, code, sql) => scope.addNote(path, code, sql) }, []);
}

function leafSet(leaf: Exclude<CriteriaLeaf, AudienceLeaf>, scope: Scope): LeafSet {
  switch (leaf.kind) {
    case "field":
      return fieldLeaf(leaf, scope);
    case "list":
      return listLeaf(leaf, scope);
    case "event":
      return eventLeaf(leaf, scope);
    case "order":
      return orderLeaf(leaf, scope);
    case "cart":
      return cartLeaf(leaf, scope);
    case "supplement":
      return supplementLeaf(leaf, scope);
    case "sample":
      return sampleLeaf(leaf, scope);
  }
}

function eligibleSelection(wanted: Parameters<typeof eligibleSet>[0], scope: Scope): Selection {
  return { set: eligibleSet(wanted, scope), complement: false, known: scope.historyAt === undefined };
}

/**
 * The contacts with the smallest hashes: spread over the whole set, the same for the same set, and of a set that grows by a few mostly
 * those of before. Numbers follow the order of creation, so that the smallest of them would be the oldest contacts.
 */
function sampleSql(set: string, size: number, { account, bind }: Scope): string {
  const chosen = `SELECT arrayJoin(bitmapToArray(${set})) AS number ORDER BY ${hashOf("number")} LIMIT ${bind.uint(size)}`;
  const known = `SELECT cid FROM contacts_current FINAL WHERE account = ${account} AND contact IN (SELECT number FROM (${chosen}))`;
  return `(SELECT groupArray(cid) FROM (${known} ORDER BY ${hashOf("contact")}))`;
}

function hashOf(number: string): string {
  return `intHash64(${number}), ${number}`;
}

/** No contact has so high a number. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** A bitmap is read in its order; from its end the numbers before the last one are turned around. */
function pageSql(set: string, { direction, after, until, skip, rowsMax }: NumbersPage, { bind }: Scope): string {
  const slice = (numbers: string) => `arraySlice(${numbers}, ${bind.uint(skip + 1)}, ${bind.uint(rowsMax)})`;
  if (direction === "asc") {
    const from = bind.uint(after === undefined ? 0 : after + 1);
    const reached = until === undefined ? set : `bitmapSubsetInRange(${set}, 0, ${bind.uint(until + 1)})`;
    return slice(`bitmapToArray(bitmapSubsetLimit(${reached}, ${from}, ${bind.uint(skip + rowsMax)}))`);
  }
  const first = bind.uint(until ?? 0);
  const end = after ?? (until === undefined ? undefined : NUMBER_MAX);
  const before = end === undefined ? set : `bitmapSubsetInRange(${set}, ${first}, ${bind.uint(end)})`;
  return slice(`arrayReverse(bitmapToArray(${before}))`);
}
