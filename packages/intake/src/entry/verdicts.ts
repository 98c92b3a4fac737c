import type { ItemWarning } from "@headwater/contracts";
import { type Account, type ErrorCode, type ErrorDetail, shapes } from "@headwater/contracts";
import { findForbidden } from "@headwater/http";
import { boundedDetails, isDeeperThan, type Sliced } from "@headwater/kernel";
import { isLargerThan } from "../body/jsonSize.ts";
import type { Item, Items } from "../body/readItems.ts";
import type { InternalOperation } from "../operations/operation.ts";
import { type AcceptedRecord, validateItem } from "../operations/validateItem.ts";
import { limits } from "./limits.ts";

/** Result on one item: accepted or refused. */
export type Verdict = AcceptedItem | RefusedItem;

export interface AcceptedItem {
  readonly kind: "accepted";
  readonly index: number;
  readonly source?: string | undefined;
  readonly records: readonly AcceptedRecord[];
  readonly warnings: readonly ItemWarning[];
  /** A partner's name of it, in letters and digits: its records are applied once under it. */
  readonly once?: string;
}

export interface RefusedItem {
  readonly kind: "rejected";
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string;
  readonly details: readonly ErrorDetail[];
  /** Number of details that were found. */
  readonly found: number;
}

export interface ItemContext {
  readonly operation: InternalOperation;
  readonly account: Account;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** The body is greater than an item may be: each is measured. */
  readonly isLarge: boolean;
  /** The item is a part of a partner's push. */
  readonly isPush?: boolean;
}

/** Every item is validated on its own: a bad one never costs its neighbours. */
export function* judge({ items, isSuspicious }: Items, context: ItemContext): Sliced<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const item of items) {
    verdicts.push(judgeItem(item, verdicts.length, isSuspicious, context));
    yield;
  }
  return verdicts;
}

export function judgeItem(item: Item, index: number, isSuspicious: boolean, context: ItemContext): Verdict {
  if (item.kind === "notJson") return rejected(index, "INVALID_JSON_PROVIDED", [NOT_JSON]);
  if (item.kind === "tooLarge") return rejected(index, "PAYLOAD_TOO_LARGE", [TOO_LARGE]);
  // Before all that checks the whole of it: how much there is to check is bounded from here on.
  const isHuge = context.isLarge && isLargerThan(item.value, limits.itemBytes);
  if (isHuge) return rejected(index, "PAYLOAD_TOO_LARGE", [TOO_LARGE]);
  const forbidden = isSuspicious ? findForbidden(item.value) : undefined;
  if (forbidden !== undefined) return rejected(index, "VALIDATION_ERROR", [forbidden]);
  if (context.isLarge) {
    if (isDeeperThan(item.value, shapes.bounds.bodyDepth)) return rejected(index, "VALIDATION_ERROR", [TOO_DEEP]);
    if (isTooLarge(item.value)) return rejected(index, "PAYLOAD_TOO_LARGE", [TOO_LARGE]);
  }
  const verdict = validateItem(context.operation, context.account, item.value, context);
  if (verdict.kind === "rejected") return rejected(index, verdict.code, verdict.details);
  return { kind: "accepted", index, source: verdict.source, records: verdict.records, warnings: verdict.warnings };
}

const NOT_JSON: ErrorDetail = { path: "", code: "bad_value", message: "The line is not valid JSON." };

const TOO_LARGE: ErrorDetail = {
  path: "",
  code: "too_long",
  message: `The item exceeds ${limits.itemBytes} bytes.`,
};

const TOO_DEEP: ErrorDetail = {
  path: "",
  code: "out_of_range",
  message: `The item is nested more than ${shapes.bounds.bodyDepth} levels deep.`,
};

const UTF8_BYTES_MAX = 3;

/** Returns whether an item is too large. Its nesting is known to be bounded, so serialising it cannot exhaust the stack. */
function isTooLarge(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length * UTF8_BYTES_MAX > limits.itemBytes && Buffer.byteLength(text) > limits.itemBytes;
}

function rejected(index: number, code: ErrorCode, found: readonly ErrorDetail[]): RefusedItem {
  const details = boundedDetails(found);
  const [first] = details;
  const { message = "The item is invalid.", path = "" } = first ?? {};
  return { kind: "rejected", index, code, message, path, details, found: found.length };
}
