import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { readCids } from "@headwater/records/contacts/contactReads";
import { lockContactNumbers } from "@headwater/records/contacts/contacts";
import { childMessage } from "../batchMessages/childMessage.ts";
import { readSendSettings } from "../frozen/freezeTemplate.ts";
import { defaultOnUnknown } from "../frozen/frozenMessage.ts";
import { type BegunSend, insertSends, lastSendNumbers } from "../sends/insertSends.ts";
import type { NewSend } from "../sends/sendRow.ts";
import { insertWants, type PlainWant } from "../sends/wants.ts";
import { noteTemplateChild } from "./templateChildren.ts";
import type { TemplateFacts } from "./templates.ts";

export interface Recipient {
  /** Number of the live contact. */
  readonly contact: number;
  readonly cid: string;
}

/**
 * Locks the live contacts, so that nobody else takes the next number of a message for them.
 * @returns them by the numbers that were asked for; those that are gone are left out.
 */
export async function lockRecipients(
  transaction: Transaction,
  { number: account }: Pick<Account, "number">,
  contacts: readonly number[],
): Promise<Map<number, Recipient>> {
  const keysOf = (numbers: readonly number[]) => [...new Set(numbers)].map((number) => ({ account, number }));
  const rows = await lockContactNumbers(transaction, keysOf(contacts));
  const survivors = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  if (survivors.length > 0) await lockContactNumbers(transaction, keysOf(survivors));
  const numbers = rows.map(({ number }) => number);
  const cids = await readCids(transaction, account, numbers);
  return new Map(
    rows.flatMap(({ number, mergedInto }) => {
      const cid = cids.get(number);
      return cid === undefined ? [] : [[number, { contact: mergedInto ?? number, cid }] as const];
    }),
  );
}

/** A send of a template that something wants. */
export interface WantedSend {
  readonly template: TemplateFacts;
  readonly recipient: Recipient;
  /** 24 hex characters: of the same occasion always the same. */
  readonly want: string;
  /** JSON text. */
  readonly mergeData: string;
  /** JSON text of the activity that it is for; null without one. */
  readonly event: string | null;
  /** Instant after which it is not handed over any more, milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Reason why the contact gets nothing. */
  readonly refused?: string;
}

export interface WantedSends {
  readonly account: Account;
  /** Template or orchestration, as in the mcID. */
  readonly kind: "a" | "o";
  readonly wanted: readonly WantedSend[];
  readonly nowMs: number;
}

/** Stores wanted sends of published templates to contacts that are locked. @returns the sends, in the order of the templates. */
export async function wantSends(
  transaction: Transaction,
  { account, kind, wanted, nowMs }: WantedSends,
): Promise<BegunSend[]> {
  const wants: PlainWant[] = [];
  const sends: BegunSend[] = [];
  for (const [template, own] of Map.groupBy(wanted, (one) => one.template)) {
    const { id, endsAt } = childOf(account, template, nowMs);
    const child = { account: account.number, id, mdtId: template.mdtId, createdAt: nowMs, endsAt };
    await noteTemplateChild(transaction, child);
    const message = messageOf(account, template, { id, nowMs });
    const contacts = [...new Set(own.map(({ recipient }) => recipient.contact))];
    const numbers = await lastSendNumbers(transaction, { account: account.number, message: message.message }, contacts);
    for (const { recipient, want, mergeData, event, expiresAt = null, refused } of own) {
      const n = (numbers.get(recipient.contact) ?? 0) + 1;
      numbers.set(recipient.contact, n);
      wants.push({ account: template.account, template: template.key, mergeData, id: want, event });
      const begin = refused === undefined ? PENDING : ({ state: "skipped", reason: refused } as const);
      sends.push({ ...message, ...recipient, kind, n, want, expiresAt, ...begin });
    }
  }
  await insertWants(transaction, wants, nowMs);
  const stored = await insertSends(transaction, { account: account.number, sends, nowMs });
  if (stored.length < sends.length) throw new WriteConflict();
  return sends;
}

const PENDING = { state: "pending" } as const;

/** Returns the day or hour of a template that its sends belong to. */
function childOf({ settings: { timezone } }: Account, { mdtId, settings }: TemplateFacts, nowMs: number) {
  return childMessage({ mdtId, aggregation: readSendSettings(settings).baseAggregation, timezone }, nowMs);
}

interface ChildNow {
  readonly id: string;
  readonly nowMs: number;
}

/** Returns what all sends of a template have in common. */
function messageOf(
  account: Account,
  { channel, settings: text }: TemplateFacts,
  { id, nowMs }: ChildNow,
): Omit<NewSend, "kind" | "contact" | "cid" | "n" | "want"> {
  const { classification, priority, onUnknown } = readSendSettings(text);
  return {
    ...{ account: account.number, message: id, variant: null, address: null },
    ...{ channel, classification, priority, dueAt: nowMs },
    resendsLeft: (onUnknown ?? defaultOnUnknown(classification)) === "resend" ? 1 : 0,
  };
}
