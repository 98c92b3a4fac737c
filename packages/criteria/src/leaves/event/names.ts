import { conditionSql } from "../../compile/conditionSql.ts";
import { CATEGORIES_MAX, type NameInCriteria, textsOf } from "../../compile/names.ts";
import type { Scope } from "../../compile/scope.ts";
import type { Property, Test } from "../../criteria.ts";
import { eventValue } from "./compile.ts";
import type { EventLeaf } from "./event.ts";

/** Rows whose properties are read for names to suggest. */
const SAMPLED_ROWS = 10_000;

const EVENTS_MAX = 10_000;

export function* namesOfEvent({ path, actions, where }: EventLeaf, scope: Scope): Generator<NameInCriteria> {
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
