import {
  type Account,
  canonicalIdentifier,
  canonicalName,
  type Identifier,
  identifierOfChannel,
  identifierRules,
  isPlaceholder,
  type shapes,
} from "@headwater/contracts";
import { type Caller, refusal } from "@headwater/http";
import { pointerStep } from "@headwater/kernel";

import { identifiersIn, identifierWarnings } from "@headwater/records/contacts/addressWarnings";
import type { RecipientBody, SendBody } from "./sendBody.ts";

/** A recipient as the body names it. */
export interface NamedRecipient {
  /** Path in the body. */
  readonly at: string;
  /** The contact in the form that a record of the log has. */
  readonly contact: shapes.ContactWrite;
  /** Address of the channel that the body gives; undefined where it names the contact otherwise. */
  readonly address: string | undefined;
  /** Something besides a cID says who it is: an unknown one is created. */
  readonly canBeCreated: boolean;
}

/** Channels whose address has an identifier name of its own. */
const CHANNEL_OF: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["phone", "sms"],
]);
const CHANNEL_ADDRESS = /^channels\.(.+)\.address$/;

/** Reads whom a call names. @throws HeadwaterError 422 `VALIDATION_ERROR` for one that has no usable identifier. */
export function readRecipients(
  { to, identifyBy }: Pick<SendBody, "to" | "identifyBy">,
  { account, channel }: { readonly account: Account; readonly channel: string },
): NamedRecipient[] {
  const isList = Array.isArray(to);
  const list: readonly RecipientBody[] = isList ? to : [to];
  return list.map((body, position) => {
    const at = isList ? `/to/${position}` : "/to";
    return readRecipient(body, { at, account, channel, identifyBy });
  });
}

/** Names the addresses of recipients that cannot be one of their channel: their contacts are written with them. */
export function recipientWarnings({ to }: Pick<SendBody, "to">, { account }: Caller) {
  const list: readonly RecipientBody[] = Array.isArray(to) ? to : [to];
  const at = (index: number) => (Array.isArray(to) ? `/to/${index}` : "/to");
  const input = list.flatMap((recipient, index) => identifiersIn(recipient, at(index), account.settings));
  return identifierWarnings(input, account.settings);
}

export interface Reading {
  readonly at: string;
  /** Path of its only value; default: the member of the recipient. */
  readonly valueAt?: string;
  readonly account: Account;
  readonly channel: string;
  readonly identifyBy: readonly string[] | undefined;
}

/** Reads one recipient. @throws HeadwaterError as `readRecipients`. */
export function readRecipient(body: RecipientBody, reading: Reading): NamedRecipient {
  const { at, account, channel, identifyBy } = reading;
  const { formats } = identifierRules(account.settings);
  const provided = Object.entries(body).map(([name, value]) => ({ name: canonicalName(name), given: name, value }));
  const isName = (name: string) => formats.has(name) || CHANNEL_ADDRESS.test(name);
  const named = provided.filter(({ name, value }) => isName(name) && isKeyValue(value));
  const wanted = identifyBy?.map(canonicalName);
  const finding = wanted === undefined ? named : named.filter(({ name }) => wanted.includes(name));
  const [first] = finding;
  if (first === undefined) throw invalid(at, "required", "The recipient has no identifier.");
  for (const { name, given: written, value } of finding) {
    const canonical = canonicalIdentifier(account.settings, name, keyValue(value));
    if (canonical === undefined || isMistake({ name, value: canonical }, finding.length)) {
      throw invalid(
        reading.valueAt ?? `${at}/${pointerStep(written)}`,
        "bad_value",
        "The identifier has no canonical form.",
      );
    }
  }
  const identifiers = Object.fromEntries(finding.map(({ name, value }) => [name, keyValue(value)]));
  const others = provided.filter(({ name }) => !Object.hasOwn(identifiers, name));
  const attributes = attributesOf(others);
  const address = named.find(({ name }) => name === identifierOfChannel(channel));
  return {
    at,
    address: address === undefined ? undefined : String(address.value).trim(),
    canBeCreated: finding.some(({ name }) => name !== "cID"),
    contact: {
      identifiers,
      identifiersPriority: wanted ?? [...formats.keys()],
      ...(Object.keys(attributes).length > 0 && { attributes }),
      canBeUpdated: true,
      canBeCreated: finding.some(({ name }) => name !== "cID"),
    },
  };
}

/**
 * Returns whether an identifier cannot find a recipient: a phone number without digits, or the only one, which says that there is no value.
 * An email that is not an address is skipped with its outcome `invalid-address`.
 */
function isMistake(identifier: Identifier, count: number): boolean {
  if (identifier.name === "email") return false;
  return (identifier.name === "phone" || count === 1) && isPlaceholder(identifier);
}

/** Members that do not find the contact are written to it; addresses go to their channels. */
function attributesOf(members: readonly { readonly name: string; readonly given: string; readonly value: unknown }[]) {
  const attributes: Record<string, unknown> = {};
  const channels: Record<string, { address: string }> = {};
  for (const { name, given: received, value } of members) {
    const channel = CHANNEL_OF.get(name) ?? CHANNEL_ADDRESS.exec(name)?.[1];
    if (name === "cID") continue;
    if (channel !== undefined && typeof value === "string") channels[channel] = { address: value };
    else attributes[received] = value;
  }
  return { ...attributes, ...(Object.keys(channels).length > 0 && { channels }) };
}

function isKeyValue(value: unknown): boolean {
  return (typeof value === "string" && value.trim() !== "") || Number.isSafeInteger(value);
}

function keyValue(value: unknown): string | number {
  return typeof value === "number" ? value : String(value);
}

export function invalid(path: string, code: string, message: string) {
  return refusal("VALIDATION_ERROR", "The recipient is invalid.", { details: [{ path, code, message }] });
}
