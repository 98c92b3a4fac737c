import { parseCount } from "../../parse/comparisons.ts";
import { parseName, parseProperties } from "../../parse/parseProperties.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer, type Suggestion, shown } from "../../parse/problems.ts";
import type { FieldTarget } from "../field/field.ts";
import { resolveField } from "../field/parse.ts";
import { recordOwner } from "./fields.ts";
import type { SupplementLeaf, SupplementReference } from "./supplement.ts";

/** `{"supplement": key, "where"?, "join"?, "count"?}`: how many records of the table belong to the contact. */
export function parseSupplement(input: JsonObject, path: string, parse: Parse): SupplementLeaf | undefined {
  checkMembers(parse.problems, input, path, ["supplement", "where", "join", "count"]);
  const table = findTable(input.supplement, pointer(path, "supplement"), parse);
  const where = parseProperties(input.where, pointer(path, "where"), recordOwner, parse);
  const at = pointer(path, "join");
  const join = input.join === undefined ? undefined : parseJoin(input.join, at, parse);
  const count = parseCount(input.count, pointer(path, "count"), parse);
  if (table === undefined || count === undefined) return undefined;
  if (input.join === undefined && !table.isLinked) {
    const message =
      "records of this table carry no contact: join says which of their fields equals which of the contact";
    return parse.problems.add("bad_value", at, message);
  }
  return { kind: "supplement", path, table, where, count, ...(join && { join }) };
}

function findTable(key: unknown, at: string, { context, problems }: Parse): SupplementReference | undefined {
  if (typeof key !== "string") return problems.add("type_mismatch", at, "a table is named by its key");
  const found = context.supplements?.get(key);
  if (found !== undefined) return found;
  const message = `there is no supplement table "${shown(key)}"`;
  const suggest: Suggestion = ({ supplements }, among) => among("supplement", () => supplements?.keys() ?? [])(key);
  return problems.addUnknown({ code: "unknown_reference", path: at, name: key, message, suggest });
}

/** Names whose stored texts can be compared as they are. */
const JOINED: ReadonlySet<FieldTarget["kind"] | "cid"> = new Set(["value", "address", "cid"]);

function parseJoin(input: unknown, at: string, parse: Parse): SupplementLeaf["join"] | undefined {
  const { problems } = parse;
  if (!isJsonObject(input)) return problems.add("type_mismatch", at, "a join is {contact, record}");
  checkMembers(problems, input, at, ["contact", "record"]);
  const contact = resolveField(input.contact, pointer(at, "contact"), parse);
  const record = parseName(input.record, pointer(at, "record"), recordOwner, parse);
  if (contact === undefined || record === undefined) return undefined;
  const { target } = contact;
  if (JOINED.has(target.kind === "column" && target.column === "cid" ? "cid" : target.kind)) {
    return { contact: target, record: record.segments };
  }
  return problems.add(
    "bad_value",
    pointer(at, "contact"),
    "records are joined by an attribute, an identifier or an address",
  );
}
