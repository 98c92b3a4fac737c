import { identifierOfChannel } from "@headwater/contracts";
import type { FieldType } from "../../criteria.ts";
import { SUGGESTION_LIMITS } from "../../limits.ts";
import type { CriteriaContext } from "../../parse/context.ts";
import { type FindNearest, nearestNames } from "../../parse/nearest.ts";
import { expectOperator, parseCondition } from "../../parse/parseCondition.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, type JsonObject, pointer, type Suggestion, shown } from "../../parse/problems.ts";
import type { ValueKind } from "../../parse/valueKind.ts";
import type { FieldLeaf, FieldTarget } from "./field.ts";
import { GEO_PARTS, geoPartOf } from "./fields.ts";

const SUBSCRIBE_STATUSES = ["subscribed", "unsubscribed", "none", "pending"] as const;

/** `{"field": path, "op": operator, "value": v}`. */
export function parseField(input: JsonObject, path: string, parse: Parse): FieldLeaf | undefined {
  checkMembers(parse.problems, input, path, ["field", "op", "value", "ci"]);
  const field = resolveField(input.field, pointer(path, "field"), parse);
  // All that is wrong is reported: what is an operator of no type is wrong whatever the field.
  if (field === undefined) return expectOperator(input.op, path, parse);
  const condition = parseCondition(input, path, field.value, parse);
  return condition && { kind: "field", path, target: field.target, condition };
}

interface Field {
  readonly target: FieldTarget;
  readonly value: ValueKind;
}

/** Finds the field of a contact that a path names. */
export function resolveField(name: unknown, at: string, parse: Parse): Field | undefined {
  if (typeof name !== "string") return parse.problems.add("type_mismatch", at, "a field name must be a string");
  const column = columnField(name);
  if (column !== undefined) return column;
  const { fields } = parse.context;
  const type = fields.get(name);
  if (type !== undefined) return namedField(name, type, parse);
  const position = geoPartOf(name, fields);
  if (position !== undefined)
    return {
      target: { ...attribute(position.field, position.type, parse), part: position.part },
      value: { type: "string" },
    };
  const message = `"${shown(name)}" is not a field of this account`;
  const suggest: Suggestion = ({ fields }, among) =>
    nearestFields(
      name,
      fields,
      among("field", () => fields.keys()),
    );
  return parse.problems.addUnknown({ code: "unknown_field", path: at, name, message, suggest });
}

/** A bare name most often means the attribute, the identifier or the address of that name; one below a path, a part of it. */
function nearestFields(name: string, fields: CriteriaContext["fields"], findNearest: FindNearest): string[] {
  const named = [`attributes.${name}`, `identifiers.${name}`, `channels.${name}.address`];
  const index = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const parts = fields.get(index) === "geo" ? GEO_PARTS.map((part) => `${index}.${part}`) : [];
  const meant = [...named.filter((path) => fields.has(path)), ...nearestNames(name, parts)];
  return [...new Set([...meant, ...findNearest(name)])].slice(0, SUGGESTION_LIMITS.namesMax);
}

function columnField(name: string): Field | undefined {
  switch (name) {
    case "cID":
    case "identifiers.cID":
      return {
        target: { kind: "column", column: "cid" },
        value: { type: "string", canonical: (v) => v.trim().toLowerCase() },
      };
    case "createdAt":
      return { target: { kind: "column", column: "created_at" }, value: { type: "date" } };
    case "lastModified":
      return { target: { kind: "column", column: "modified_at" }, value: { type: "date" } };
    default:
      return undefined;
  }
}

function namedField(name: string, type: FieldType, parse: Parse): Field {
  const [, channel, member] = /^channels\.(.+)\.(address|subscribeStatus|valid)$/.exec(name) ?? [];
  if (channel !== undefined) return channelField(channel, member, parse);
  if (name.startsWith("attributes.")) return { target: attribute(name, type, parse), value: { type } };
  const target = { kind: "value", name } as const;
  if (!name.startsWith("identifiers.")) return { target, value: { type } };
  const identifier = name.slice("identifiers.".length);
  const canonical = canonicalOf(identifier, parse);
  const isLowerCase = parse.context.lowerCaseIdentifiers?.has(identifier) ?? false;
  return { target, value: { type: "string", integers: true, canonical, isLowerCase } };
}

/** Identifiers and addresses are kept in their canonical form. */
function canonicalOf(identifier: string, { context: { canonicalIdentifier } }: Parse) {
  return (value: string) => (canonicalIdentifier ? canonicalIdentifier(identifier, value) : value.trim());
}

function attribute(name: string, type: FieldType, { context }: Parse) {
  const clears = context.clears?.get(name);
  return { kind: "value", name, ...(type !== "auto" && { declared: type }), ...(clears && { clears }) } as const;
}

function channelField(channel: string, member: string | undefined, parse: Parse): Field {
  switch (member) {
    case "address": {
      const canonical = canonicalOf(identifierOfChannel(channel), parse);
      return { target: { kind: "address", channel }, value: { type: "string", ignoreCase: true, canonical } };
    }
    case "subscribeStatus":
      return { target: { kind: "status", channel }, value: { type: "string", allowed: SUBSCRIBE_STATUSES } };
    default:
      return { target: { kind: "valid", channel }, value: { type: "boolean" } };
  }
}
