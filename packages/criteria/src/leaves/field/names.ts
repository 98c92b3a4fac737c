import { CATEGORIES_MAX, type NameInCriteria, textsOf } from "../../compile/names.ts";
import type { Scope } from "../../compile/scope.ts";
import type { FieldLeaf } from "./field.ts";

const ATTRIBUTES = "attributes.";

export function* valuesOfField(
  { path, target, condition }: FieldLeaf,
  { account, bind }: Scope,
): Generator<NameInCriteria> {
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
