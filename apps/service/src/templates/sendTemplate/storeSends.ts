import { type Account, canonicalValue, identifierOfChannel, identifierRules } from "@headwater/contracts";
import { newWantId } from "@headwater/kernel";
import type { FrozenMessage } from "@headwater/messaging";
import { WriteConflict } from "@headwater/projection";
import type { Transaction } from "@headwater/stores/postgres";
import { type BegunSend, insertSends, insertWant, lastSendNumbers } from "@headwater/stores/sends";
import { type SuppressionReason, suppressedAmong } from "@headwater/stores/suppressions";
import type { MessageContact, SendBody } from "./schema.ts";
import type { WantedTemplate } from "./wantedTemplate.ts";

/** A recipient as Postgres knows it. */
export interface FoundRecipient {
  /** Number of the contact; 0 for somebody unknown whom a test goes to. */
  readonly contact: number;
  readonly cid: string;
  readonly address: string | undefined;
  readonly isSubscribed: boolean;
  /** False once the address bounced for good. */
  readonly isValid: boolean;
}

/** A recipient, or nothing where a cID finds nobody. */
export type Found = FoundRecipient | undefined;

export interface StoredCall {
  readonly account: Account;
  readonly template: WantedTemplate;
  readonly key: string;
  readonly isTest: boolean;
  readonly body: SendBody;
  readonly nowMs: number;
}

type Verdict = NonNullable<MessageContact["error"]>;

/** Stores what is to be sent, with a verdict for each recipient. The recipients' contacts are locked. @returns one entry for each of them. */
export async function storeSends(
  transaction: Transaction,
  call: StoredCall,
  recipients: readonly Found[],
): Promise<MessageContact[]> {
  const { account, template, nowMs } = call;
  const message = messageIdOf(template, account, nowMs);
  const contacts = [...new Set(recipients.flatMap((found) => (found === undefined ? [] : [found.contact])))];
  const numbers = await lastSendNumbers(transaction, { account: account.number, message }, contacts);
  const suppressed = await suppressedOf(transaction, call, recipients);
  const want = newWantId();
  const begun = recipients.map((found) => {
    if (found === undefined) return undefined;
    const n = (numbers.get(found.contact) ?? 0) + 1;
    numbers.set(found.contact, n);
    const error = verdictOf(found, call, suppressed);
    return { error, send: sendOf(found, { call, message, n, want, error }) };
  });
  await storeWant(transaction, call, want);
  const sends = begun.flatMap((one) => (one === undefined ? [] : [one.send]));
  const stored = await insertSends(transaction, { account: account.number, sends, nowMs });
  // Somebody took the same number for a recipient whom nobody knows: once more, with the next.
  if (stored.length < sends.length) throw new WriteConflict();
  return begun.map((one, place) => (one === undefined ? NOT_FOUND : toEntry(call, one, recipients[place])));
}

const NOT_FOUND = { accepted: false, error: "not-found" } as const;

async function storeWant(transaction: Transaction, { account, key, isTest, body, nowMs }: StoredCall, id: string) {
  const { mergeData = {}, extVars = {}, attachments } = body;
  const want = {
    ...{ account: account.number, id, template: key, isDraft: isTest },
    mergeData: JSON.stringify({ ...extVars, ...mergeData }),
    attachments: attachments === undefined || attachments.length === 0 ? null : JSON.stringify(attachments),
  };
  await insertWant(transaction, want, nowMs);
}

/** Returns the id of a template's message of the day or hour, in the account's time zone. */
function messageIdOf({ mdtId, aggregation }: WantedTemplate, { settings }: Account, nowMs: number): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{
      timeZone: settings.timezone,
      hourCycle: "h23",
      year: "2-digit",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
    },
  });
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const at = (...names: readonly Intl.DateTimeFormatPartTypes[]) => names.map((name) => parts.get(name) ?? "").join("");
  const period = aggregation === "daily" ? `d${at("year", "month", "day")}` : `h${at("year", "month", "day", "hour")}`;
  return `${mdtId}:${period}`;
}

interface Sending {
  readonly call: StoredCall;
  readonly message: string;
  readonly n: number;
  readonly want: string;
  readonly error: Verdict | undefined;
}

function sendOf({ contact, cid, address }: FoundRecipient, { call, message, n, want, error }: Sending): BegunSend {
  const { account, template, isTest, nowMs } = call;
  const { channel, classification, priority, onUnknown } = template.message;
  return {
    ...{
      account: account.number,
      message,
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

/** Says at once what is known without rendering; all others are told by the list of sends. */
function verdictOf(
  found: FoundRecipient,
  { account, template, isTest }: StoredCall,
  suppressed: Suppressed,
): Verdict | undefined {
  const { channel, classification } = template.message;
  const { address = "" } = found;
  if (address.trim() === "") return "no-address";
  if (!found.isValid) return "invalid-address";
  const isPromotional = classification === "promotional";
  const reasons = suppressed.get(canonicalAddress(account, channel, address) ?? "") ?? [];
  if (reasons.some((reason) => isPromotional || FOR_ALL.has(reason))) return "suppressed";
  return isPromotional && !isTest && !found.isSubscribed ? "not-subscribed" : undefined;
}

async function suppressedOf(transaction: Transaction, { account, template }: StoredCall, recipients: readonly Found[]) {
  const { channel }: FrozenMessage = template.message;
  const addresses = recipients.flatMap((found) => canonicalAddress(account, channel, found?.address ?? "") ?? []);
  return suppressedAmong(transaction, { account: account.number, channel }, [...new Set(addresses)]);
}

function canonicalAddress({ settings }: Account, channel: string, address: string): string | undefined {
  return canonicalValue(identifierRules(settings).formats.get(identifierOfChannel(channel)) ?? "string", address);
}

function toEntry(
  { account, template }: StoredCall,
  { send, error }: { readonly send: BegunSend; readonly error: Verdict | undefined },
  found: Found,
): MessageContact {
  const { address, cid } = found ?? {};
  const named = template.message.channel === "email" ? { email: address } : { address };
  return {
    accepted: error === undefined,
    ...(cid !== undefined && send.contact !== 0 && { cID: cid }),
    mcID: [account.id, send.message, send.kind, send.cid, send.n].join(":"),
    ...(address !== undefined && named),
    ...(error !== undefined && { error }),
  };
}
