import { type Account, canonicalIdentifier, identifierOfChannel } from "@headwater/contracts";
import { newWantId } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { type SuppressionReason, suppressedAmong } from "@headwater/records/suppressions/suppressions";
import { z } from "zod";
import type { FrozenMessage } from "../frozen/frozenMessage.ts";
import { type BegunSend, insertSends, lastSendNumbers } from "../sends/insertSends.ts";
import { insertWant, type SendWant } from "../sends/wants.ts";
import { askEntries } from "../triggers/entryQuestions.ts";
import { enterTemplate, type Refusal } from "../triggers/templateEntries.ts";
import type { TemplateEntry } from "./entry.ts";
import type { MessageContact } from "./sendBody.ts";
import { noteTemplateChild } from "./templateChildren.ts";

/** A recipient as Postgres knows it. */
export interface FoundRecipient {
  /** Number of the contact; 0 for somebody unknown whom a test goes to. */
  readonly contact: number;
  readonly cid: string;
  readonly address: string | undefined;
  readonly isSubscribed: boolean;
  /** False once the address bounced for good, and for what cannot be an address of its channel. */
  readonly isValid: boolean;
}

/** A recipient, or nothing where a cID finds nobody. */
export type Found = FoundRecipient | undefined;

/** A call of a message to recipients. */
export interface StoredCall {
  readonly account: Account;
  /** Id as it stands in the mcID. */
  readonly messageId: string;
  readonly message: FrozenMessage;
  readonly isTest: boolean;
  readonly want: Omit<SendWant, "account" | "id">;
  /** Number of a contact's first send; 2 where the first one belongs to the message's audience. */
  readonly firstNumber?: number;
  /** Template whose day or hour the sends belong to; none of tests and batch messages. */
  readonly child?: { readonly mdtId: string; readonly endsAt: number };
  /** Rules for contacts that the template was sent to before, with the call's key of them; none of tests and batch messages. */
  readonly entry?: { readonly mdtId: string; readonly rules: TemplateEntry; readonly key: string | undefined };
  readonly nowMs: number;
}

type Result = NonNullable<MessageContact["error"]>;

/** Stores what is to be sent, with a verdict for each recipient. The recipients' contacts are locked. @returns one entry for each of them. */
export async function storeSends(
  transaction: Transaction,
  call: StoredCall,
  recipients: readonly Found[],
): Promise<MessageContact[]> {
  const { account, messageId: message, firstNumber = 1, nowMs } = call;
  const contacts = [...new Set(recipients.flatMap((found) => (found === undefined ? [] : [found.contact])))];
  const numbers = await lastSendNumbers(transaction, { account: account.number, message }, contacts);
  const suppressed = await suppressedOf(transaction, call, recipients);
  const want = newWantId();
  const errors = recipients.map((found) => found && resultOf(found, call, suppressed));
  const refusals = await refusedEntries(transaction, { call, want, errors }, recipients);
  const begun = recipients.map((found, index) => {
    if (found === undefined) return undefined;
    const n = (numbers.get(found.contact) ?? firstNumber - 1) + 1;
    numbers.set(found.contact, n);
    const error = errors[index] ?? refusals.get(index);
    return { error, send: sendOf(found, { call, n, want, error }) };
  });
  await insertWant(transaction, { account: account.number, id: want, ...call.want }, nowMs);
  const sends = begun.flatMap((one) => (one === undefined ? [] : [one.send]));
  if (call.child !== undefined && sends.length > 0) {
    await noteTemplateChild(transaction, { account: account.number, id: message, ...call.child, createdAt: nowMs });
  }
  const stored = await insertSends(transaction, { account: account.number, sends, nowMs });
  // Somebody took the same number for a recipient whom nobody knows: once more, with the next.
  if (stored.length < sends.length) throw new WriteConflict();
  await askOf(transaction, call, sends);
  return begun.map((one, index) => (one === undefined ? NOT_FOUND : toEntry(call, one, recipients[index])));
}

/** Asks for the audience of the template's entry, of those to whom it sends. */
async function askOf(
  transaction: Transaction,
  { account: { number: account }, entry, nowMs }: StoredCall,
  sends: readonly BegunSend[],
): Promise<void> {
  if (entry === undefined) return;
  const { mdtId, rules, key } = entry;
  const entering = sends.flatMap(({ state, contact, want }) =>
    state === "pending" && want !== null ? [{ contact, want, key }] : [],
  );
  await askEntries(transaction, { template: { account, mdtId }, entry: rules, nowMs }, entering);
}

interface Entered {
  readonly call: StoredCall;
  readonly want: string;
  /** Errors of the recipients, in their order: who gets nothing does not enter. */
  readonly errors: readonly (Result | undefined)[];
}

/** Returns why the entry of the template refuses recipients, by their index. */
async function refusedEntries(
  transaction: Transaction,
  { call, want, errors }: Entered,
  recipients: readonly Found[],
): Promise<ReadonlyMap<number, Refusal>> {
  const { account, entry, nowMs } = call;
  if (entry === undefined) return new Map();
  const { mdtId, rules, key } = entry;
  const own = recipients.flatMap((found, index) => {
    return found === undefined || errors[index] !== undefined ? [] : [{ contact: found.contact, index }];
  });
  const template = { account: account.number, mdtId };
  const entering = own.map(({ contact }) => ({ contact, key, want }));
  const refusals = await enterTemplate(transaction, { account, template, entry: rules, nowMs }, entering);
  return new Map(
    own.flatMap(({ index }, position) => {
      const refused = refusals[position];
      return refused === undefined ? [] : [[index, refused] as const];
    }),
  );
}

const acceptedShape = z.object({ messagecontacts: z.array(z.object({ accepted: z.boolean() })) });

/** Counts the sends that an answer says were stored. */
export function acceptedIn(body: unknown): number {
  return acceptedShape.parse(body).messagecontacts.filter(({ accepted }) => accepted).length;
}

/** Returns the answer that says what was stored. */
export function answerOf(messagecontacts: readonly MessageContact[]) {
  const accepted = messagecontacts.filter((one) => one.accepted).length;
  const message = `${accepted} of ${messagecontacts.length} stored to be sent.`;
  const body = { success: true, message, messagecontacts };
  return { answer: { status: 200, body }, kept: body };
}

const NOT_FOUND = { accepted: false, error: "not-found" } as const;

interface Sending {
  readonly call: StoredCall;
  readonly n: number;
  readonly want: string;
  readonly error: Result | undefined;
}

function sendOf({ contact, cid, address }: FoundRecipient, { call, n, want, error }: Sending): BegunSend {
  const { account, messageId, isTest, nowMs } = call;
  const { channel, classification, priority, onUnknown } = call.message;
  return {
    ...{
      account: account.number,
      message: messageId,
      contact,
      n,
      kind: isTest ? "t" : "a",
      cid,
      channel,
      classification,
      priority,
      want,
    },
    ...{ variant: null, resendsLeft: onUnknown === "resend" ? 1 : 0, dueAt: nowMs },
    address: address ?? null,
    ...(error === undefined ? { state: "pending" } : { state: "skipped", reason: error }),
  };
}

type Suppressed = ReadonlyMap<string, readonly SuppressionReason[]>;
const FOR_ALL: ReadonlySet<SuppressionReason> = new Set(["manual", "hard-bounce"]);

/** Says at once what is known without rendering; the list of sends shows all others. */
function resultOf(
  found: FoundRecipient,
  { account, message, isTest }: StoredCall,
  suppressed: Suppressed,
): Result | undefined {
  const { channel, classification } = message;
  const { address = "" } = found;
  if (address.trim() === "") return "no-address";
  if (!found.isValid) return "invalid-address";
  const isPromotional = classification === "promotional";
  const reasons = suppressed.get(canonicalAddress(account, channel, address) ?? "") ?? [];
  if (reasons.some((reason) => isPromotional || FOR_ALL.has(reason))) return "suppressed";
  return isPromotional && !isTest && !found.isSubscribed ? "not-subscribed" : undefined;
}

async function suppressedOf(transaction: Transaction, { account, message }: StoredCall, recipients: readonly Found[]) {
  const { channel } = message;
  const addresses = recipients.flatMap((found) => canonicalAddress(account, channel, found?.address ?? "") ?? []);
  return suppressedAmong(transaction, { account: account.number, channel }, [...new Set(addresses)]);
}

function canonicalAddress({ settings }: Account, channel: string, address: string): string | undefined {
  return canonicalIdentifier(settings, identifierOfChannel(channel), address);
}

function toEntry(
  { account, message }: StoredCall,
  { send, error }: { readonly send: BegunSend; readonly error: Result | undefined },
  found: Found,
): MessageContact {
  const { address, cid } = found ?? {};
  const named = message.channel === "email" ? { email: address } : { address };
  return {
    accepted: error === undefined,
    ...(cid !== undefined && { cID: cid }),
    mcID: [account.id, send.message, send.kind, send.cid, send.n].join(":"),
    ...(address !== undefined && named),
    ...(error !== undefined && { error }),
  };
}
