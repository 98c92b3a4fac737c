import { type ErrorDetail, shapes } from "@headwater/contracts";
import { findForbiddenInSlices, mayHoldForbidden, type ParsedJson, parseExact, parseInSlices } from "@headwater/http";
import { isDeeperInSlices, type Sliced } from "@headwater/kernel";

/** One item of a body: a value, a line that is no JSON, or one that was too large to be written. */
export type Item =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "notJson" }
  | { readonly kind: "tooLarge" };

export interface Items {
  readonly kind: "items";
  readonly items: readonly Item[];
  /** Text or member names that no shape allows may be in them. */
  readonly isSuspicious: boolean;
  /** Members of the envelope that nobody knows. */
  readonly unknownMembers: readonly string[];
}

export type ItemsRead =
  | Items
  | { readonly kind: "notJson" }
  | { readonly kind: "tooMany" }
  | { readonly kind: "badEnvelope"; readonly detail: ErrorDetail };

export interface BatchRules {
  readonly itemsMax: number;
  readonly decimalMembers: ReadonlySet<string>;
}

/** The one item of a single body. */
export function readSingle(text: string, decimalMembers: ReadonlySet<string>): ItemsRead {
  const item = parseItem(text, decimalMembers);
  if (item.kind === "notJson") return item;
  return { kind: "items", items: [item], isSuspicious: mayHoldForbidden(text), unknownMembers: [] };
}

/** The items of `{"items": […]}` or of a bare array. */
export function* readBatch(text: string, { itemsMax, decimalMembers }: BatchRules): Sliced<ItemsRead> {
  const parsed = yield* parseLarge(text, decimalMembers);
  if (parsed === undefined) return { kind: "notJson" };
  yield;
  const isSuspicious = mayHoldForbidden(text);
  const envelope = yield* openEnvelope(parsed, isSuspicious);
  const crowded = parsed.isCrowded ? badEnvelope("", "too_many", TOO_CROWDED) : undefined;
  if (envelope.kind === "badEnvelope") return crowded ?? envelope;
  if (envelope.values.length > itemsMax) return { kind: "tooMany" };
  if (crowded !== undefined) return crowded;
  const items = envelope.values.map((value): Item => ({ kind: "value", value }));
  return { kind: "items", items, isSuspicious, unknownMembers: envelope.unknownMembers };
}

/** Blank lines, that is: others are items, and end when there are too many. */
const LINES_PER_STEP = 1_024;

/** The items of NDJSON: one a line, blank lines left out. A line that is no JSON is an item that is refused. */
export function* readLines(text: string, { itemsMax, decimalMembers }: BatchRules): Sliced<ItemsRead> {
  const items: Item[] = [];
  for (let from = 0, lines = 1; from < text.length; lines++) {
    if (lines % LINES_PER_STEP === 0) yield;
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    const line = text.slice(from, to).trim();
    from = to + 1;
    if (line === "") continue;
    if (items.length === itemsMax) return { kind: "tooMany" };
    items.push(yield* parseLine(line, decimalMembers));
  }
  if (items.length === 0) return badEnvelope("", "required", "A batch must have at least one item.");
  return { kind: "items", items, isSuspicious: mayHoldForbidden(text), unknownMembers: [] };
}

function parseItem(text: string, decimalMembers: ReadonlySet<string>): Exclude<Item, { kind: "tooLarge" }> {
  try {
    return { kind: "value", value: parseExact(text, decimalMembers) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "notJson" };
    throw error;
  }
}

function* parseLine(line: string, decimalMembers: ReadonlySet<string>): Sliced<Item> {
  const parsed = yield* parseLarge(line, decimalMembers);
  return parsed === undefined ? { kind: "notJson" } : { kind: "value", value: parsed.value };
}

/** @returns undefined for what is no JSON. */
function* parseLarge(text: string, decimalMembers: ReadonlySet<string>): Sliced<ParsedJson | undefined> {
  try {
    return yield* parseInSlices(text, decimalMembers);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Envelope = {
  readonly kind: "open";
  readonly values: readonly unknown[];
  readonly unknownMembers: readonly string[];
};

function* openEnvelope(
  { value, wideLevel }: ParsedJson,
  isSuspicious: boolean,
): Sliced<Envelope | ReturnType<typeof badEnvelope>> {
  if (Array.isArray(value)) return open(value, "", []);
  if (typeof value !== "object" || value === null) return badEnvelope("", "type_mismatch", WANTED);
  if (wideLevel === ENVELOPE_LEVEL) return badEnvelope("", "too_many", TOO_WIDE);
  const { items, ...others } = { items: undefined, ...value };
  const forbidden = isSuspicious ? yield* findForbiddenInSlices(others) : undefined;
  if (forbidden !== undefined) return { kind: "badEnvelope", detail: forbidden };
  if (yield* isDeeperInSlices(others, shapes.bounds.bodyDepth)) return badEnvelope("", "out_of_range", TOO_DEEP);
  if (items === undefined) return badEnvelope("/items", "required", WANTED);
  if (!Array.isArray(items)) return badEnvelope("/items", "type_mismatch", WANTED);
  return open(items, "/items", Object.keys(others));
}

const ENVELOPE_LEVEL = 1;
const TOO_CROWDED = "The body has too many objects and arrays.";
const TOO_WIDE = "The body has too many members.";
const TOO_DEEP = `The body is nested more than ${shapes.bounds.bodyDepth} levels deep.`;
const WANTED = 'A batch must be {"items": […]}, an array, or application/x-ndjson lines.';

function open(values: readonly unknown[], path: string, unknownMembers: readonly string[]) {
  if (values.length === 0) return badEnvelope(path, "required", "A batch must have at least one item.");
  return { kind: "open", values, unknownMembers } as const;
}

function badEnvelope(path: string, code: string, message: string) {
  return { kind: "badEnvelope", detail: { path, code, message } } as const;
}
