import type { ItemWarning } from "@headwater/contracts";
import {
  type Account,
  canonicalName,
  type ErrorCode,
  type ErrorDetail,
  type Identifier,
  type IdentifiersResult,
  identifiersInOrder,
  identityText,
  isNotAnAddress,
  missingIdentifier,
  shapes,
} from "@headwater/contracts";
import {
  firstMistakes,
  isDeeperThan,
  pointerStep,
  safeParse,
  toDetail,
  type UnknownPath,
  unknownMemberWarnings,
} from "@headwater/kernel";
import {
  ADDRESSES_NAMED_MAX,
  addressWarning,
  contactIdentifierWarnings,
} from "@headwater/records/contacts/addressWarnings";
import { similarNameWarnings } from "@headwater/records/contacts/similarNames";
import { z } from "zod";
import type { Fault, ValidatedOperation } from "./operation.ts";

/** Kinds of values without a length: 0 is there, and out of range. */
const quantities: ReadonlySet<string> = new Set(["number", "int", "bigint"]);

const compiled = new WeakMap<z.ZodType, z.ZodType>();

/** A record on its way to Kafka, without its id: `account + identity` decides the partition. */
export interface AcceptedRecord {
  readonly identity: string;
  readonly members: Readonly<Record<string, unknown>>;
}

export type ItemVerdict =
  | {
      readonly kind: "accepted";
      /** Sender of the item, in the sender's words. */
      readonly source: string | undefined;
      readonly records: readonly AcceptedRecord[];
      readonly warnings: readonly ItemWarning[];
    }
  | { readonly kind: "rejected"; readonly code: ErrorCode; readonly details: readonly ErrorDetail[] };

/** Context of a validation next to the item. */
export interface ValidationContext {
  /** The validator's clock, milliseconds since 1970. */
  readonly nowMs: number;
  /** Scopes of the caller's key. */
  readonly scopes: readonly string[];
  /** A partner's item: it may create a contact of which it knows nothing but its identifiers. */
  readonly isPush?: boolean | undefined;
}

/** Lets a sending system report opens, clicks and the like, whose names are reserved otherwise. */
export const MESSAGE_EVENTS_SCOPE = "message-events";

/** Compiles the operation's shape, so that the first item does not wait the tens of milliseconds that it takes. */
export function compileValidation({ body }: ValidatedOperation): void {
  compiledShape(body);
}

/**
 * Validates one item: shape, bounds, identifiers, the operation's own rules. Accepted or refused whole. One strict parse accepts nearly
 * every item; unknown members are searched for only where it fails, so that no other item is walked for them.
 */
export function validateItem(
  operation: ValidatedOperation,
  account: Account,
  item: unknown,
  context: ValidationContext,
): ItemVerdict {
  const parsed = safeParse(compiledShape(operation.body), item);
  if (parsed.success) return acceptBody(operation, account, { body: parsed.data, context, warnings: [] });
  const unknown = unknownPaths(parsed.error);
  if (unknown.length === 0) return refused(toItemDetails(parsed.error));
  if (isTooDeep(item)) return refused([TOO_DEEP]);
  const stripped = safeParse(operation.body, withoutMembers(item, unknown));
  if (!stripped.success) return refused(toItemDetails(stripped.error));
  const warnings = unknownMemberWarnings(unknown, operation.body);
  return acceptBody(operation, account, { body: stripped.data, context, warnings });
}

const TOO_DEEP: ErrorDetail = {
  path: "",
  code: "out_of_range",
  message: `The item is nested more than ${shapes.bounds.bodyDepth} levels deep.`,
};

function isTooDeep(item: unknown): boolean {
  return isDeeperThan(item, shapes.bounds.bodyDepth);
}

function isForgiven(detail: Fault, { scopes, isPush }: ValidationContext): boolean {
  if (isReserved(detail)) return scopes.includes(MESSAGE_EVENTS_SCOPE);
  return isPush === true && detail.code === "required" && BARE_CONTACTS.has(detail.path);
}

/** Paths of attributes that the contact of a push may lack. */
const BARE_CONTACTS: ReadonlySet<string> = new Set(["/attributes", "/contact/attributes"]);

interface Parsed {
  readonly body: unknown;
  readonly context: ValidationContext;
  readonly warnings: readonly ItemWarning[];
}

function acceptBody(operation: ValidatedOperation, account: Account, { body, context, warnings }: Parsed): ItemVerdict {
  const found = operation.check(body, account.settings, context.nowMs);
  if (found.length > 0) {
    const details = found.filter((detail) => !isForgiven(detail, context));
    if (details.length > 0) return refused(details);
  }
  const parts = operation.split(body);
  const suppresses = suppressedBy(body);
  const records: AcceptedRecord[] = [];
  const wrong: ItemWarning[] = [];
  let contact: shapes.ContactReference | undefined;
  let identity = "";
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) continue;
    // The events of an item share its contact.
    if (part.contact === undefined) {
      identity = identityText(account.id, part.key);
      if (isNotAnAddress(part.key)) wrong.push(addressWarning(`/records/${index}/${part.key.name}`));
    } else if (part.contact !== contact) {
      contact = part.contact;
      const identified = identify(contact, account);
      if (!("identifiers" in identified)) return refused([noIdentity(identified, body, index)]);
      identity = identityText(account.id, identified.identifiers[0]);
      if (wrong.length < ADDRESSES_NAMED_MAX) {
        const at = { settings: account.settings, at: identifiersPath(body, index) };
        const input = [...identified.identifiers, ...identified.placeholders];
        wrong.push(...contactIdentifierWarnings(contact, input, at), ...similarNameWarnings(contact, at));
      }
    }
    records.push({ identity, members: suppresses === undefined ? part.members : { ...part.members, ...suppresses } });
  }
  const all = wrong.length === 0 ? warnings : [...warnings, ...wrong.slice(0, ADDRESSES_NAMED_MAX)];
  return { kind: "accepted", source: sourceOf(body), records, warnings: all };
}

interface Unidentified {
  /** The identifier that has no canonical form, or says as all others do that there is no value; absent when there are none, or too many. */
  readonly name?: string;
  readonly isMissing?: true;
  readonly isTooMany?: true;
}

interface Identified {
  /** Identifiers in order of trial; the first is the identity. */
  readonly identifiers: readonly [Identifier, ...Identifier[]];
  /** Texts in place of addresses. */
  readonly placeholders: readonly Identifier[];
}

function identify(contact: shapes.ContactReference, account: Account): Identified | Unidentified {
  if (Object.keys(contact.identifiers).length > shapes.bounds.identifiersPerContact) return { isTooMany: true };
  const found: IdentifiersResult = identifiersInOrder(
    account.settings,
    contact.identifiers,
    contact.identifiersPriority,
  );
  if (found.kind === "invalid") return { name: found.name };
  const missing = missingIdentifier(found);
  if (missing !== undefined) return { name: inputName(contact, missing), isMissing: true };
  const { placeholders = [] } = found;
  const [first, ...others] = found.identifiers;
  return first === undefined ? {} : { identifiers: [first, ...others], placeholders };
}

function inputName({ identifiers }: shapes.ContactReference, { name }: Identifier): string {
  return Object.keys(identifiers).find((provided) => canonicalName(provided) === name) ?? name;
}

function noIdentity({ name, isMissing, isTooMany }: Unidentified, body: unknown, index: number): ErrorDetail {
  const at = identifiersPath(body, index);
  if (name !== undefined) {
    return {
      path: `${at}/${pointerStep(name)}`,
      code: "bad_value",
      message: isMissing
        ? `The contact has no identifier: ${name} says that there is no value.`
        : `The identifier ${name} has no canonical form.`,
    };
  }
  const message = `A contact must have from 1 to ${shapes.bounds.identifiersPerContact} identifiers.`;
  return { path: at, code: isTooMany ? "too_many" : "required", message };
}

/** Returns where the identifiers of a part stand: a body is a contact, has one, or lists several. */
function identifiersPath(body: unknown, index: number): string {
  if (typeof body !== "object" || body === null) return "";
  if ("contact" in body) return "/contact/identifiers";
  return "identifiers" in body && Array.isArray(body.identifiers) ? `/identifiers/${index}` : "/identifiers";
}

/** Every record of an item says what the item says. */
function suppressedBy(body: unknown): { readonly suppressTriggers: boolean } | undefined {
  if (typeof body !== "object" || body === null || !("suppressTriggers" in body)) return undefined;
  const { suppressTriggers } = body;
  return typeof suppressTriggers === "boolean" ? { suppressTriggers } : undefined;
}

function sourceOf(body: unknown): string | undefined {
  const source: unknown = typeof body === "object" && body !== null && "source" in body ? body.source : undefined;
  return typeof source === "string" ? source : undefined;
}

function refused(faults: readonly Fault[]): ItemVerdict {
  const code = faults.every(isReserved) ? "RESERVED_ACTION" : "VALIDATION_ERROR";
  return { kind: "rejected", code, details: faults.map(({ itemCode: _, ...detail }) => detail) };
}

function isReserved({ itemCode }: Fault): boolean {
  return itemCode === "RESERVED_ACTION";
}

/**
 * Returns the shape as code that zod compiles at its first use, in some tens of milliseconds. A valid value takes a fifth of the time
 * then; an invalid one is validated by the shape as it was, with the same words.
 * @throws ZodCompileUnsupportedError for a shape that zod cannot compile: none of ours may be one.
 */
export function compiledShape(shape: z.ZodType): z.ZodType {
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const created = z.compile(shape, { strict: true });
  compiled.set(shape, created);
  return created;
}

/**
 * Turns zod's findings in an item into details of the answer; unknown members are no error, and what is empty is missing.
 * A union's mistake is named where the union stands: senders know the member, not our branches.
 */
function toItemDetails({ issues }: z.core.$ZodError): ErrorDetail[] {
  return firstMistakes(issues)
    .filter(({ code }) => code !== "unrecognized_keys")
    .map((issue) => (isEmpty(issue) ? { ...toDetail(issue), code: "required" } : toDetail(issue)));
}

function isEmpty(issue: z.core.$ZodIssue): boolean {
  return issue.code === "too_small" && !quantities.has(issue.origin) && Number(issue.minimum) === 1;
}

function unknownPaths(error: z.core.$ZodError): UnknownPath[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((name) => ({ path: issue.path, name })) : [],
  );
}

/** A copy without the members. Only what lies on the way to them is copied: the rest may be of any depth and size. */
function withoutMembers(item: unknown, paths: readonly UnknownPath[]): unknown {
  const copies = new Set<unknown>();
  const root = copyOf(item, copies);
  for (const { path, name } of paths) {
    let at: unknown = root;
    for (const step of path) at = stepInto(at, step, copies);
    if (isContainer(at)) Reflect.deleteProperty(at, name);
  }
  return root;
}

/** Puts a copy in the member's path, unless it is one already, and goes into it. */
function stepInto(parent: unknown, step: PropertyKey, copies: Set<unknown>): unknown {
  if (!isContainer(parent)) return undefined;
  const inner: unknown = Reflect.get(parent, step);
  if (copies.has(inner)) return inner;
  const copy = copyOf(inner, copies);
  Reflect.set(parent, step, copy);
  return copy;
}

function copyOf(value: unknown, copies: Set<unknown>): unknown {
  if (!isContainer(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copies.add(copy);
  return copy;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
