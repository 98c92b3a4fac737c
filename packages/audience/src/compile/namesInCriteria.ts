import type { FieldLeaf, Property, Test } from "../criteria.ts";
import type { EventLeaf } from "../leaves.ts";
import type { CriteriaLeaf, CriteriaNode } from "../nodes.ts";
import type { CompileOptions } from "./compileOptions.ts";
import { conditionSql } from "./conditionSql.ts";
import { eventValue } from "./eventValue.ts";
import { createQuery } from "./query.ts";
import type { Scope } from "./scope.ts";

/** A name or value of criteria that the data of the account may never have had. */
export interface NameInCriteria {
  /** JSON pointer into the criteria. */
  readonly path: string;
  readonly kind: "event" | "property" | "value";
  readonly name: string;
  /** Distinguishes it from all others of the account. */
  readonly key: string;
  /** Pointer of the events that a property or value is looked for in: where these were never seen, it was not either. */
  readonly within?: string;
  /** A SELECT of a row that has it; it ends at the first one. */
  readonly seenSql: string;
  /** A SELECT of texts, the column `name`, that it may have meant. Absent where nothing may be suggested. */
  readonly othersSql?: string;
}

export interface NamesInCriteria {
  readonly names: readonly NameInCriteria[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Names of one criteria that are checked: the first ones. */
const NAMES_MAX = 20;
/** Rows whose properties are read for names to suggest. */
const SAMPLED_ROWS = 10_000;
/** A member with more values than these is not a category: its values may be personal, and none is suggested. */
export const CATEGORIES_MAX = 200;
const EVENTS_MAX = 10_000;

/** Collects the event names, properties and texts of values that checked criteria look for, each with the query that finds one. */
export function namesInCriteria(
  criteria: CriteriaNode,
  options: Pick<CompileOptions, "account" | "now" | "timezone" | "currency">,
): NamesInCriteria {
  const { scope } = createQuery({ ...options, basis: "event", hasMerges: false });
  const names = Iterator.from(namesOf(criteria, scope)).take(NAMES_MAX).toArray();
  return { names, params: scope.bind.params };
}

function* namesOf(node: CriteriaNode, scope: Scope): Generator<NameInCriteria> {
  switch (node.kind) {
    case "and":
    case "or":
    case "not":
      for (const child of node.nodes) yield* namesOf(child, scope);
      if (node.exclude !== undefined) yield* namesOf(node.exclude, scope);
      return;
    case "audience":
      // The names of a saved audience are reported where it is referred to.
      for (const name of namesOf(node.node, scope)) yield { ...name, path: node.path };
      return;
    default:
      yield* namesOfLeaf(node, scope);
  }
}

function namesOfLeaf(leaf: CriteriaLeaf, scope: Scope): Iterable<NameInCriteria> {
  if (leaf.kind === "event") return namesOfEvent(leaf, scope);
  return leaf.kind === "field" ? valuesOfField(leaf, scope) : [];
}

function* namesOfEvent({ path, actions, where }: EventLeaf, scope: Scope): Generator<NameInCriteria> {
  const { account, bind } = scope;
  const othersSql = `SELECT DISTINCT toString(action) AS name FROM activities WHERE account = ${account} LIMIT ${EVENTS_MAX}`;
  for (const [index, action] of actions.entries()) {
    const at = actions.length === 1 ? `${path}/event` : `${path}/event/${index}`;
    const seenSql = `SELECT 1 FROM activities WHERE account = ${account} AND action = ${bind.string(action)} LIMIT 1`;
    yield { path: at, kind: "event", name: action, key: JSON.stringify([action]), seenSql, othersSql };
  }
  const rows = `activities WHERE account = ${account} AND action IN ${bind.strings(actions)}`;
  for (const [index, property] of where.entries()) {
    if (property.segments[0] !== "properties") continue;
    yield* namesOfProperty(property, { path: `${path}/where/${index}`, within: `${path}/event`, actions, rows }, scope);
  }
}

interface EventRows {
  readonly path: string;
  readonly within: string;
  readonly actions: readonly string[];
  readonly rows: string;
}

function* namesOfProperty(
  { segments, condition }: Property,
  { path, within, actions, rows }: EventRows,
  scope: Scope,
): Generator<NameInCriteria> {
  const [, ...own] = segments;
  const value = eventValue(segments, scope);
  const holds = (test: Test) => conditionSql(value, { negated: false, test }, scope);
  const [first = ""] = own;
  // Texts without the name are not parsed.
  const mentions = `position(properties, ${scope.bind.string(JSON.stringify(first))}) > 0`;
  const seenSql = `SELECT 1 FROM ${rows} AND ${mentions} AND ${holds({ kind: "exists" })} LIMIT 1`;
  const keys = "arrayJoin(JSONExtractKeys(properties))";
  const othersSql = `SELECT DISTINCT ${keys} AS name FROM (SELECT properties FROM ${rows} LIMIT ${SAMPLED_ROWS})`;
  yield {
    path: `${path}/field`,
    kind: "property",
    name: own.join("."),
    key: JSON.stringify([actions, own]),
    within,
    seenSql,
    othersSql,
  };
  for (const { at, text, test } of textsOf(condition.test, `${path}/value`)) {
    const texts = `SELECT DISTINCT ${value.text()} AS name FROM (SELECT * FROM ${rows} LIMIT ${SAMPLED_ROWS})`;
    yield {
      path: at,
      kind: "value",
      name: text,
      key: JSON.stringify([actions, own, text, test.ignoreCase]),
      within: `${path}/field`,
      seenSql: `SELECT 1 FROM ${rows} AND ${mentions} AND ${holds(test)} LIMIT 1`,
      othersSql: `SELECT assumeNotNull(name) AS name FROM (${texts}) WHERE isNotNull(name) LIMIT ${CATEGORIES_MAX + 1}`,
    };
  }
}

const ATTRIBUTES = "attributes.";

function* valuesOfField({ path, target, condition }: FieldLeaf, { account, bind }: Scope): Generator<NameInCriteria> {
  if (target.kind !== "value" || target.part !== undefined) return;
  const field = `account = ${account} AND field = ${bind.string(target.name)}`;
  const rows = ["contact_fields_current", "contact_fields_history"];
  for (const { at, text, test } of textsOf(condition.test, `${path}/value`)) {
    const wanted = bind.string(test.ignoreCase ? text.toLowerCase() : text);
    const is = `${test.ignoreCase ? "lowerUTF8(text)" : "text"} = ${wanted}`;
    const found = rows.map((table) => `SELECT 1 FROM ${table} WHERE ${field} AND ${is} LIMIT 1`);
    const others = `SELECT DISTINCT text AS name FROM contact_fields_current WHERE ${field} AND kind = 'string' LIMIT ${CATEGORIES_MAX + 1}`;
    yield {
      path: at,
      kind: "value",
      name: text,
      key: JSON.stringify([target.name, text, test.ignoreCase]),
      seenSql: found.map((one) => `SELECT 1 FROM (${one})`).join(" UNION ALL "),
      ...(target.name.startsWith(ATTRIBUTES) && { othersSql: others }),
    };
  }
}

type TextTest = Extract<Test, { kind: "textIn" }>;

function* textsOf(test: Test, path: string): Generator<{ at: string; text: string; test: TextTest }> {
  if (test.kind !== "textIn") return;
  const isOne = test.values.length === 1;
  for (const [index, text] of test.values.entries())
    yield { at: isOne ? path : `${path}/${index}`, text, test: { ...test, values: [text] } };
}
