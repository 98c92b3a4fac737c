import { type Sliced, safeParse } from "@headwater/kernel";
import { PARTS_MAX, type Part, passedOver, refusedPart } from "../../push.ts";
import { isAbsent, isMembers, whyNot } from "../../reading.ts";
import { writtenAttribute } from "./schema.ts";

/** Attributes of an update, those that are right; and the others, each with its reason. */
export interface WrittenAttributes {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly others: readonly Part[];
}

const ATTRIBUTES_PER_STEP = 64;

/** Reads the attributes of an update: `upsert` sets, `delete` removes. */
export function* readAttributes(given: unknown, path: string): Sliced<WrittenAttributes> {
  if (isAbsent(given)) return { attributes: {}, others: [] };
  if (!Array.isArray(given)) {
    return { attributes: {}, others: [refusedPart(path, given, "The attributes of an update must be an array.")] };
  }
  const attributes = new Map<string, unknown>();
  const others: Part[] = [];
  for (const [index, entry] of given.entries()) {
    if (others.length > PARTS_MAX) break;
    const read = readEntry(entry, `${path}/${index}`);
    if ("kind" in read) others.push(read);
    else attributes.set(read.key, read.value);
    if (index % ATTRIBUTES_PER_STEP === 0) yield;
  }
  return { attributes: Object.fromEntries(attributes), others };
}

function readEntry(entry: unknown, path: string): { readonly key: string; readonly value: unknown } | Part {
  if (!isMembers(entry)) return refusedPart(path, entry, "An attribute must be an object.");
  const parsed = safeParse(writtenAttribute, entry);
  if (!parsed.success) return refusedPart(path, entry, whyNot(parsed.error));
  const key = String(parsed.data.key);
  if (parsed.data.action === "delete") return { key, value: null };
  const { value, list_value: listValue } = entry;
  if (value === undefined && listValue === undefined) return refusedPart(path, entry, "`value` is required.");
  const written = isAbsent(listValue) ? value : listValue;
  // Senders write what is absent as null or as empty: it says nothing of the attribute.
  return isAbsent(written) ? passedOver(path, entry, "The attribute has no value.") : { key, value: written };
}
