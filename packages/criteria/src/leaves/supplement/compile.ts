import { conditionSql } from "../../compile/conditionSql.ts";
import { havingSql, planCount } from "../../compile/counting.ts";
import { lastClear, latestVersion, passes } from "../../compile/latestVersion.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { columnValue, jsonValue, type ValueSql } from "../../compile/values.ts";
import type { Property } from "../../criteria.ts";
import { fieldTexts } from "../field/compile.ts";
import type { SupplementLeaf } from "./supplement.ts";

/** Contacts by how many records of the table pass and belong to them. */
export function selectOwners(leaf: SupplementLeaf, scope: Scope): LeafSet {
  const plan = planCount(leaf.count);
  const having =
    plan.having === "any"
      ? ""
      : ` HAVING ${havingSql("uniqExact(id)", plan.having, scope.bind.uint(leaf.count.value))}`;
  const owned = ownedRecords(leaf, scope);
  const set = scope.addSet(
    `SELECT groupBitmapState(owner) FROM (SELECT owner FROM (${owned}) GROUP BY owner${having})`,
  );
  return { set, complement: plan.complement };
}

/** Compiles how many records that match belong to one contact. */
export function sawOfRecords(leaf: SupplementLeaf, scope: Scope, owner: string): string {
  return `(SELECT toString(uniqExact(id)) FROM (${ownedRecords(leaf, scope)}) WHERE owner = ${owner})`;
}

/** A query of `owner` and `id`: the records that match and belong to a contact. */
function ownedRecords(leaf: SupplementLeaf, scope: Scope): string {
  return leaf.join === undefined ? linkedRecords(leaf, scope) : joinedRecords(leaf, leaf.join, scope);
}

/** Records of a table that carries contacts. */
function linkedRecords(leaf: SupplementLeaf, scope: Scope): string {
  const { from, contact } = resolvedRows(`(${passingRecords("contact", leaf, scope)})`, scope);
  return `SELECT ${contact} AS owner, id FROM ${from}`;
}

/** Records whose field has a text that the contact's field has, too; of arrays any element. */
function joinedRecords(leaf: SupplementLeaf, join: NonNullable<SupplementLeaf["join"]>, scope: Scope): string {
  const value = jsonValue("document", join.record, scope.bind);
  const texts = `if(${value.isArray}, ${value.elements}, [${value.text()}])`;
  const records = `SELECT id, arrayJoin(arrayDistinct(${texts})) AS text FROM (${passingRecords("document", leaf, scope)})`;
  const contacts = fieldTexts(join.contact, scope);
  return `SELECT c.owner AS owner, k.id AS id FROM (${contacts}) AS c INNER JOIN (SELECT id, assumeNotNull(text) AS text FROM (${records}) WHERE text IS NOT NULL) AS k ON c.text = k.text`;
}

/** A query of the `id` and the named column of the records that pass. */
function passingRecords(column: "contact" | "document", { table, where }: SupplementLeaf, scope: Scope): string {
  const { bind, account, historyAt } = scope;
  const rows = `account = ${account} AND supplement = ${bind.uint(table.id)}`;
  const cleared = lastClear(table.clears, scope);
  const since = cleared === undefined ? [] : [`version > ${bind.string(cleared)}`];
  const owned = column === "contact" ? ["contact > 0"] : [];
  const passing = where.map((property) => conditionSql(recordValue(property, scope), property.condition, scope));
  const conditions = ["deleted = 0", ...since, ...owned, ...passing];
  if (historyAt === undefined) {
    return `SELECT id, ${column} FROM supplement_records_current FINAL WHERE ${rows} AND ${conditions.join(" AND ")}`;
  }
  scope.groupInOrder();
  const tested = `SELECT id, ${column}, ${latestVersion.rankedByRevision}, ${passes(conditions)} FROM supplement_records_history WHERE ${rows} AND at <= ${historyAt}`;
  const none = column === "contact" ? "0" : "''";
  const versions = `SELECT id, rank, if(passes = 1, ${column}, ${none}) AS passing FROM (${tested})`;
  return `SELECT id, ${latestVersion.of("passing")} AS ${column} FROM (${versions}) GROUP BY id HAVING ${column} != ${none}`;
}

/** Reads a field of a record; its times stand next to the document. */
export function recordValue({ segments }: Property, { bind }: Scope): ValueSql {
  switch (segments.join(".")) {
    case "ct":
      return columnValue("created_at", "date");
    case "lm":
      return columnValue("modified_at", "date");
    default:
      return jsonValue("document", segments, bind);
  }
}
