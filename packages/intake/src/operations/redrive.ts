import { type Account, type ErrorCode, type JsonPatch, shapes } from "@headwater/contracts";
import { hasForbiddenText, isDeeperThan } from "@headwater/kernel";
import { applyPatch, Pointer } from "rfc6902";
import { type IntakeRecord, type InternalOperation, type LoggedOperation, suppressesTriggers } from "./operation.ts";
import { loggedOperations, validatedOperations } from "./registry.ts";
import { type AcceptedRecord, type ItemVerdict, type ValidationContext, validateItem } from "./validateItem.ts";

/** A refused record as it was stored. */
export interface RefusedRecord {
  /** Name of its operation; empty for a message nobody could read. */
  readonly operation: string;
  /** JSON text of the record. */
  readonly payload: string;
}

/** Result on a rejected record that is to be written again. */
export type RedriveVerdict =
  | {
      readonly kind: "passes";
      readonly operation: LoggedOperation;
      readonly source: string | undefined;
      readonly record: AcceptedRecord;
    }
  | { readonly kind: "fails"; readonly code: ErrorCode; readonly path: string; readonly message: string };

export interface RedriveContext extends ValidationContext {
  readonly account: Account;
  readonly patch: JsonPatch | undefined;
}

/** Limit of an item's bytes, which a patch may not pass either. */
const ITEM_BYTES_MAX = 256 * 1024;
const TOO_LARGE = {
  kind: "fails",
  code: "PAYLOAD_TOO_LARGE",
  path: "",
  message: `An item has at most ${ITEM_BYTES_MAX} bytes.`,
} as const;
/** Members of the record itself, not of what was sent. */
const RECORD_MEMBERS: ReadonlySet<string> = new Set(["id", "receivedAt", "keyed", "redriveOf", "once", "row"]);

/**
 * A refused record as an item of its own: what was sent, less its neighbours in the same body. Anything else that was kept
 * (the text of a message nobody could read) is given back as it is.
 */
export function itemOfRecord({ operation: name, payload }: RefusedRecord): unknown {
  const record: unknown = JSON.parse(payload);
  const operation = loggedOperations.find((one) => one.name === name);
  if (operation === undefined || !isRecord(record)) return record;
  if (operation.itemOf !== undefined) return operation.itemOf(record);
  const members = Object.entries(record).filter(([member]) => !RECORD_MEMBERS.has(member));
  return Object.fromEntries(members);
}

/** Applies the patch to the item and validates it as if it came again. It stays one record. */
export function validateRedrive(
  refused: RefusedRecord,
  { account, patch, ...context }: RedriveContext,
): RedriveVerdict {
  const operation = validatedOf(refused.operation);
  if (operation === undefined) return fails("", whyNotValidated(refused));
  const item = itemOfRecord(refused);
  const before = passedBefore(context);
  // What intake would not have taken came by a partner's push, and may say again what only a push may say.
  const isPush = validateItem(operation, account, item, before).kind === "rejected";
  const patched = patchItem(item, patch);
  if (patched.kind === "fails") return patched;
  const again = patch === undefined ? before : context;
  const verdict = validateItem(operation, account, patched.item, { ...again, isPush });
  if (verdict.kind === "rejected") return refusedAgain(verdict);
  const [record, ...others] = verdict.records;
  if (record === undefined || others.length > 0)
    return fails("", "The patch turns the item into more than one record.");
  const members = { ...suppressedBefore(refused, operation), ...record.members };
  return { kind: "passes", operation, source: verdict.source, record: { ...record, members } };
}

/** A row of an import that is written again is no row any more, and starts nothing all the same. */
function suppressedBefore({ payload }: RefusedRecord, operation: InternalOperation): object {
  const record: unknown = JSON.parse(payload);
  const isQuiet = isRecord(record) && record.row !== undefined && suppressesTriggers(operation, record);
  return isQuiet ? { suppressTriggers: true } : {};
}

function refusedAgain({ code, details: [first] }: Extract<ItemVerdict, { kind: "rejected" }>): RedriveVerdict {
  return { kind: "fails", code, path: first?.path ?? "", message: first?.message ?? "The item is invalid." };
}

/** A trial validates so many of a selection, and shows so many failures. */
export const redriveTrial = { judged: 10_000, failures: 1_000 } as const;

export interface RedriveFailure {
  readonly id: string;
  readonly code: ErrorCode;
  readonly path: string;
  readonly message: string;
}

/** Yields the verdict on each of these records. */
export async function tryRedrives(
  pages: AsyncIterable<readonly (RefusedRecord & { readonly recordId: string })[]>,
  context: RedriveContext,
) {
  const failures: RedriveFailure[] = [];
  let wouldPass = 0;
  let validated = 0;
  for await (const page of pages) {
    for (const refused of page) {
      const verdict = validateRedrive(refused, context);
      const { recordId: id } = refused;
      if (verdict.kind === "passes") wouldPass += 1;
      else if (failures.length < redriveTrial.failures) {
        failures.push({ id, code: verdict.code, path: verdict.path, message: verdict.message });
      }
    }
    validated += page.length;
  }
  return { wouldPass, judged: validated, failures };
}

export interface RedriveStamp {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Id of the record it stands for. */
  readonly redriveOf: string;
}

/** The text of the new record. */
export function redriveText(stamp: RedriveStamp, source: string | undefined, { members }: AcceptedRecord): string {
  return JSON.stringify({ ...stamp, ...(source === undefined ? {} : { source }), ...members });
}

/** Restores the context of its first validation: names that only a sending system may use were right then. */
function passedBefore(context: ValidationContext): ValidationContext {
  return { ...context, scopes: [...context.scopes, "message-events"] };
}

type Patched = { readonly kind: "patched"; readonly item: unknown } | Extract<RedriveVerdict, { kind: "fails" }>;

function patchItem(item: unknown, patch: JsonPatch | undefined): Patched {
  if (patch === undefined) return { kind: "patched", item };
  // An operation on the root replaces the whole, which only a member of something can be.
  const holder = { item };
  const rooted = patch.map((step) => {
    const path = `/item${step.path}`;
    return "from" in step ? { ...step, path, from: `/item${step.from}` } : { ...step, path };
  });
  let copied = 0;
  for (const [index, step] of rooted.entries()) {
    copied += step.op === "copy" ? charactersAt(holder, step.from) : 0;
    if (copied > ITEM_BYTES_MAX) return TOO_LARGE;
    const [error] = applyPatch(holder, structuredClone([step]));
    if (error !== null && error !== undefined) {
      return fails(patch[index]?.path ?? "", `Operation ${index} of the patch does not apply to the item.`);
    }
  }
  return boundedItem(holder.item);
}

/** Characters that a copy adds: a hundred copies of the whole into itself would double it a hundred times. */
function charactersAt(holder: object, from: string): number {
  return JSON.stringify(Pointer.fromJSON(from).get(holder))?.length ?? 0;
}

function boundedItem(item: unknown): Patched {
  if (isDeeperThan(item, shapes.bounds.bodyDepth)) {
    return fails("", `The item is nested more than ${shapes.bounds.bodyDepth} levels deep.`);
  }
  if (hasForbiddenText(item)) return fails("", "Text must not contain NUL or unpaired surrogates.");
  if (Buffer.byteLength(JSON.stringify(item) ?? "") > ITEM_BYTES_MAX) return TOO_LARGE;
  return { kind: "patched", item };
}

function fails(path: string, message: string): Extract<RedriveVerdict, { kind: "fails" }> {
  return { kind: "fails", code: "VALIDATION_ERROR", path, message };
}

function validatedOf(name: string): InternalOperation | undefined {
  return validatedOperations.find((operation) => operation.name === name);
}

function whyNotValidated({ operation }: RefusedRecord): string {
  if (operation === "") return "The message cannot be decoded, so it cannot be redriven.";
  return "This part of a push could not be mapped. The sender must correct it and send it again.";
}

/** Written by our own projector. */
function isRecord(value: unknown): value is IntakeRecord {
  return typeof value === "object" && value !== null && "id" in value && "receivedAt" in value;
}
