import type { CriteriaLeaf, CriteriaNode, LogicNode } from "../criteria.ts";
import { createBinder } from "./binder.ts";
import { eligibleSet } from "./channelSets.ts";
import { CLOCK_SKEW_MS } from "./clock.ts";
import { eventLeaf } from "./eventLeaf.ts";
import { fieldLeaf, type LeafSet } from "./fieldLeaf.ts";
import { listLeaf } from "./listLeaf.ts";
import { orderLeaf } from "./orderLeaf.ts";
import type { NoteCode, Scope } from "./scope.ts";

export interface CompileOptions {
  /** The account's number. */
  readonly account: number;
  /** UTC milliseconds; left out for the present. */
  readonly asOf?: number;
  /** What a past `asOf` means: the state recorded by then, or today's contacts with the events before it. */
  readonly basis: "recorded" | "event";
  /** IANA name as `canonicalTimezone` spells it. */
  readonly timezone: string;
  /** UTC milliseconds of the service's clock. */
  readonly now: number;
  /** Whether the account has merged contacts; false spares the resolution of their numbers. */
  readonly hasMerges: boolean;
  readonly currency: string;
  readonly explain?: boolean;
  readonly sampleSize?: number;
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
}

export interface CompiledCriteria {
  /** One statement that answers one row: `count`, `sample` when asked, and the columns of nodes and notes. */
  readonly sql: string;
  /** Values of the placeholders `{p0:Type}`, for the client's `query_params`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly nodes: readonly { readonly path: string; readonly column: string }[];
  readonly notes: readonly { readonly path: string; readonly code: NoteCode; readonly column: string }[];
}

/**
 * Compiles checked criteria to one ClickHouse query: every leaf is a bitmap of contact numbers, logic is bitmap algebra,
 * and complements are taken in the set of all contacts that are not deleted.
 */
export function compileCriteria(criteria: CriteriaNode, options: CompileOptions): CompiledCriteria {
  const query = createQuery(options);
  const expressions: NodeExpression[] = [];
  const root = `bitmapAnd(universe, ${nodeSet(criteria, query.scope, expressions)})`;
  const eligible = options.eligibleFor && eligibleSet(options.eligibleFor, query.scope);
  const selected = eligible === undefined ? root : `bitmapAnd(${root}, ${eligible})`;
  const columns = [`bitmapCardinality(${selected}) AS count`];
  if (options.sampleSize) columns.push(`${sampleSql(selected, options.sampleSize, query.scope)} AS sample`);
  const nodes = options.explain ? expressions.map(({ path }, index) => ({ path, column: `n${index}` })) : [];
  if (options.explain) {
    expressions.forEach(({ set }, index) => {
      columns.push(`bitmapCardinality(bitmapAnd(universe, ${set})) AS n${index}`);
    });
  }
  columns.push(...query.notes.map(({ sql, column }) => `(${sql}) AS ${column}`));
  const sets = [...query.sets].map(([sql, name]) => `(${sql}) AS ${name}`);
  const sql = `WITH\n  ${sets.join(",\n  ")}\nSELECT\n  ${columns.join(",\n  ")}`;
  return { sql, params: query.scope.bind.params, nodes, notes: query.notes };
}

interface NodeExpression {
  readonly path: string;
  readonly set: string;
}

function createQuery(options: CompileOptions) {
  const bind = createBinder();
  const account = bind.uint(options.account);
  const sets = new Map<string, string>();
  const notes: { path: string; code: NoteCode; sql: string; column: string }[] = [];
  const { asOf, now } = options;
  const isPast = options.basis === "recorded" && asOf !== undefined && asOf < now;
  const historyAt = isPast ? bind.instant(asOf) : undefined;
  const scope: Scope = {
    bind,
    clock: clockOf(options),
    account,
    currency: options.currency,
    hasMerges: options.hasMerges,
    ...(historyAt !== undefined && { historyAt }),
    addSet: (sql) => {
      const name = sets.get(sql) ?? `s${sets.size}`;
      sets.set(sql, name);
      return name;
    },
    addNote: (path, code, sql) => {
      if (options.explain) notes.push({ path, code, sql, column: `x${notes.length}` });
    },
  };
  sets.set(universeSql(scope), "universe");
  return { scope, sets, notes };
}

function clockOf({ asOf, now, basis, timezone }: CompileOptions): Scope["clock"] {
  const reference = asOf ?? now;
  const end = asOf ?? now + CLOCK_SKEW_MS;
  if (asOf === undefined) return { reference, end, timezone };
  return { reference, end, timezone, seen: asOf, ...(basis === "event" && { seenOrders: asOf }) };
}

function universeSql({ account, historyAt }: Scope): string {
  const created = historyAt === undefined ? "" : ` AND created_at <= ${historyAt}`;
  return `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE account = ${account} AND deleted = 0 AND merged_into = 0${created}`;
}

function nodeSet(node: CriteriaNode, scope: Scope, expressions: NodeExpression[]): string {
  const place = expressions.push({ path: node.path, set: "" }) - 1;
  const set = isLogic(node) ? logicSet(node, scope, expressions) : leafSet(node, scope);
  expressions[place] = { path: node.path, set };
  return set;
}

function isLogic(node: CriteriaNode): node is LogicNode {
  return node.kind === "and" || node.kind === "or" || node.kind === "not";
}

const NOBODY = "bitmapAndnot(universe, universe)";

function logicSet(node: LogicNode, scope: Scope, expressions: NodeExpression[]): string {
  const sets = node.nodes.map((child) => nodeSet(child, scope, expressions));
  if (node.kind === "not") return `bitmapAndnot(universe, ${sets[0]})`;
  const [combine, none] = node.kind === "and" ? ["bitmapAnd", "universe"] : ["bitmapOr", NOBODY];
  const together = sets.length === 0 ? none : sets.reduce((left, right) => `${combine}(${left}, ${right})`);
  if (node.exclude === undefined) return together;
  return `bitmapAndnot(${together}, ${nodeSet(node.exclude, scope, expressions)})`;
}

function leafSet(leaf: CriteriaLeaf, scope: Scope): string {
  const { set, complement } = compileLeaf(leaf, scope);
  return complement ? `bitmapAndnot(universe, ${set})` : set;
}

function compileLeaf(leaf: CriteriaLeaf, scope: Scope): LeafSet {
  switch (leaf.kind) {
    case "field":
      return fieldLeaf(leaf, scope);
    case "list":
      return listLeaf(leaf, scope);
    case "event":
      return eventLeaf(leaf, scope);
    case "order":
      return orderLeaf(leaf, scope);
  }
}

function sampleSql(set: string, size: number, { account, bind }: Scope): string {
  const numbers = `SELECT arrayJoin(bitmapToArray(bitmapSubsetLimit(${set}, 0, ${bind.uint(size)})))`;
  return `(SELECT groupArray(cid) FROM contacts_current FINAL WHERE account = ${account} AND contact IN (${numbers}))`;
}
