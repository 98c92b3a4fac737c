import { createHash } from "node:crypto";
import { type Account, type RejectionCode, rejectionCodes } from "@headwater/contracts";
import { atPath, refusal } from "@headwater/http";
import { boundedMessage, hasForbiddenText, nameOfPointerStep, type Sliced, storableText } from "@headwater/kernel";
import { beginningOf } from "../body/jsonSize.ts";
import { tooLarge } from "../entry/answers.ts";
import { limits } from "../entry/limits.ts";
import { type AcceptedItem, judgeItem, type RefusedItem } from "../entry/verdicts.ts";
import type { LoggedOperation } from "../operations/operation.ts";
import { validatedOperations } from "../operations/registry.ts";
import { setAside } from "../operations/setAside/setAside.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { ItemPart, Part, RefusedPart } from "../partners/push.ts";

/** The part of a push that goes to the log: items by operation, and the refused parts, in the order of the push. */
export interface ValidatedPush {
  readonly items: ReadonlyMap<Pick<LoggedOperation, "name">, readonly AcceptedItem[]>;
  readonly accepted: number;
  readonly refused: number;
}

export interface PushContext {
  readonly endpoint: PartnerEndpoint;
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly nowMs: number;
  readonly requestId: string;
  /** The sender's own name of the push. */
  readonly name?: string | undefined;
  /** Text that no store can hold may be in it. */
  readonly isSuspicious: boolean;
  /** The push as it was sent. */
  readonly body: unknown;
}

const operationOf = new Map(validatedOperations.map((operation) => [operation.name, operation]));

/** Every part is validated on its own, by its operation; a bad one is refused with its reason. */
export function* validatePush(parts: readonly Part[], context: PushContext): Sliced<ValidatedPush> {
  const items = new Map<Pick<LoggedOperation, "name">, AcceptedItem[]>();
  const tally = { accepted: 0, refused: 0 };
  for (const [index, part] of parts.entries()) {
    const [operation, item] =
      part.kind === "item" ? validatePart(part, index, context) : refusedPartItem(part, index, context);
    tally[operation === setAside ? "refused" : "accepted"]++;
    const ofOperation = items.get(operation);
    if (ofOperation === undefined) items.set(operation, [item]);
    else ofOperation.push(item);
    yield;
  }
  return { items, ...tally };
}

type Validated = readonly [Pick<LoggedOperation, "name">, AcceptedItem];

function validatePart(part: ItemPart, index: number, context: PushContext): Validated {
  const operation = operationOf.get(part.operation);
  if (operation === undefined) throw new Error(`a push was mapped to ${part.operation}, which has no intake operation`);
  // Contacts of a list are bounded by their number; of all else a part is one item.
  const isLarge = part.list === undefined;
  const body = { ...part.body, ...suppressedBy(context.body) };
  const verdict = judgeItem({ kind: "value", value: body }, index, context.isSuspicious, {
    ...context,
    operation,
    isLarge,
    isPush: true,
  });
  if (verdict.kind === "rejected") return refusedItem(part, verdict, index, context);
  const once = part.once === undefined ? {} : { once: onceName(context, part.once) };
  const warnings = verdict.warnings.map((warning) => {
    // The contacts of a list are those that were not refused: their indexes are not those of the push.
    return { ...warning, path: part.list === undefined ? pathOf(part, warning.path) : part.path };
  });
  return [operation, { ...verdict, ...once, warnings, source: context.endpoint.partner }];
}

/** Returns what a push says for all its records of the automations that they start. */
function suppressedBy(push: unknown): { readonly suppressTriggers?: boolean } {
  const suppressTriggers: unknown = Reflect.get(Object(push), "suppressTriggers");
  return typeof suppressTriggers === "boolean" ? { suppressTriggers } : {};
}

/** @throws HeadwaterError where the push is this one item. */
function refusedItem(part: ItemPart, verdict: RefusedItem, index: number, context: PushContext): Validated {
  const details = verdict.details.map((detail) => inPush(part, detail));
  const { code } = verdict;
  const { path, message } = inPush(part, verdict);
  if (context.endpoint.isOneItem) {
    if (code === "PAYLOAD_TOO_LARGE") throw tooLarge("bytes", limits.itemBytes);
    const status = context.endpoint.statuses.badShape;
    throw refusal(code, atPath(path, message), { status, details });
  }
  const sent = partAt(context.body, part.path);
  const refused = { kind: "refused", verdict: "rejected", path, part: sent, message } as const;
  return refusedPartItem({ ...refused, code: rejectionCodeOf(code) }, index, context);
}

/** Returns a reason in the words of the push: its path, and its message where it names that path. */
function inPush<Reason extends { readonly path: string; readonly message: string }>(part: ItemPart, reason: Reason) {
  const path = pathOf(part, reason.path);
  return { ...reason, path, message: reason.message.replace(named(reason.path), () => named(path)) };
}

/** A path as messages name it. */
function named(path: string): string {
  if (path === "") return "The push";
  return `\`${path.split("/").slice(1).map(nameOfPointerStep).join(".")}\``;
}

/** The path in the push of a path in the body that was made of it. */
function pathOf({ path, inner = "", sentAs = {} }: ItemPart, at: string): string {
  if (!at.startsWith(inner)) return path;
  const below = at.slice(inner.length);
  const renamed = Object.entries(sentAs).find(([created]) => below === created || below.startsWith(`${created}/`));
  return path + (renamed === undefined ? below : renamed[1] + below.slice(renamed[0].length));
}

function rejectionCodeOf(code: string): RejectionCode {
  return rejectionCodes.find((known) => known === code) ?? "VALIDATION_ERROR";
}

/** Names of all accounts and partners stand in one cache: the account and the partner are part of them. */
function onceName({ account, endpoint }: PushContext, once: string): string {
  return createHash("sha256").update(`${account.id}\n${endpoint.partner}\n${once}`).digest("hex").slice(0, 40);
}

function refusedPartItem(refused: RefusedPart, index: number, context: PushContext): Validated {
  const { endpoint, account, name, requestId } = context;
  const { verdict, code } = refused;
  // Both may quote the sender; a record with text that cannot be stored is no record.
  const path = storableText(refused.path);
  const message = storableText(boundedMessage(refused.message));
  const push = `${endpoint.partner}/${endpoint.name}`;
  const members = { push, verdict, code, path, message, part: keepable(refused.part) };
  // All repeats of a push stand in one partition.
  const records = [{ identity: `${account.id}\nsetAside\n${name ?? requestId}`, members }];
  const once = name === undefined ? {} : { once: onceName(context, `refused/${name}/${index}`) };
  return [setAside, { kind: "accepted", index, source: endpoint.partner, records, warnings: [], ...once }];
}

const PART_CHARACTERS_MAX = limits.itemBytes / 4;

/** Returns a part as it can be kept: one that cannot be stored, or is too large, becomes the beginning of its JSON text. */
function keepable(part: unknown): unknown {
  const text = beginningOf(part, PART_CHARACTERS_MAX + 1);
  if (text.length <= PART_CHARACTERS_MAX && !hasForbiddenText(part)) return part ?? null;
  return text.slice(0, PART_CHARACTERS_MAX).toWellFormed();
}

/** The value a JSON pointer of a mapping names. */
function partAt(body: unknown, path: string): unknown {
  let at = body;
  for (const step of path.split("/").slice(1)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, nameOfPointerStep(step));
  }
  return at;
}
