import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import {
  accountsOfTriggeredEvents,
  type TriggeredEvent,
  takeTriggeredEvents,
} from "@headwater/intake/triggers/storedTriggeredEvents";
import { wantIdOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { readCids } from "@headwater/records/contacts/contactReads";
import { lockContactNumbers } from "@headwater/records/contacts/contacts";
import { childMessage } from "../../batchMessages/childMessage.ts";
import { readSendSettings } from "../../frozen/freezeTemplate.ts";
import { defaultOnUnknown } from "../../frozen/frozenMessage.ts";
import { type BegunSend, insertSends, lastSendNumbers } from "../../sends/insertSends.ts";
import { insertWants, type PlainWant } from "../../sends/wants.ts";
import { noteTemplateChild } from "../../templates/templateChildren.ts";
import { readTemplatesById, type TemplateFacts } from "../../templates/templates.ts";
import type { SenderPorts } from "../ports.ts";

/** Activities of one account that one transaction takes: an account with very many does not keep the others waiting. */
export const TRIGGERED_AT_ONCE = 100;

type Ports = Pick<SenderPorts, "postgres" | "clock">;

/**
 * Makes a wanted send of each activity that fitted a trigger, for accounts in turn. Taking the activity and storing its send are one
 * transaction, so each has one send, whatever is killed when.
 * @param after the account that had the last turn. @returns the account that has it now; undefined when there was nothing to do.
 */
export async function wantTriggered(ports: Ports, after: number): Promise<number | undefined> {
  const accounts = await accountsOfTriggeredEvents(ports.postgres, after);
  for (const number of accounts) {
    const account = await findAccountByNumber(ports.postgres, number);
    if (account === undefined) throw new Error(`account ${number} of a triggered activity is not there`);
    await retryOnConflict(() => ports.postgres.transaction((transaction) => wantOf(transaction, account, ports)));
  }
  return accounts.at(-1);
}

async function wantOf(transaction: Transaction, account: Account, { clock }: Ports): Promise<void> {
  const taking = { account: account.number, eventsMax: TRIGGERED_AT_ONCE };
  const events = await takeTriggeredEvents(transaction, taking);
  if (events.length === 0) return;
  const nowMs = clock.nowMs();
  const recipients = await lockRecipients(transaction, account, events);
  const mdtIds = [...new Set(events.map(({ mdtId }) => mdtId))];
  const templates = await readTemplatesById(transaction, account.number, mdtIds);
  const byId = new Map(templates.map((template) => [template.mdtId, template]));
  const triggered = events.flatMap(({ mdtId, contact, recordId, event }) => {
    const [template, recipient] = [byId.get(mdtId), recipients.get(contact)];
    // Of a template or contact that is gone there is nobody left to ask what became of it.
    return template === undefined || recipient === undefined ? [] : [{ template, recipient, recordId, event }];
  });
  await store(transaction, { account, triggered, nowMs });
}

interface Recipient {
  /** Number of the live contact. */
  readonly contact: number;
  readonly cid: string;
}

/** Locks the live contacts, so that nobody else takes the next number of a message for them. */
async function lockRecipients(
  transaction: Transaction,
  { number: account }: Account,
  events: readonly TriggeredEvent[],
): Promise<Map<number, Recipient>> {
  const keysOf = (numbers: readonly number[]) => [...new Set(numbers)].map((number) => ({ account, number }));
  const rows = await lockContactNumbers(transaction, keysOf(events.map(({ contact }) => contact)));
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

interface Triggered {
  readonly template: TemplateFacts;
  readonly recipient: Recipient;
  /** Id of the activity's record. */
  readonly recordId: string;
  /** JSON text. */
  readonly event: string;
}

interface Storing {
  readonly account: Account;
  readonly triggered: readonly Triggered[];
  readonly nowMs: number;
}

async function store(transaction: Transaction, { account, triggered, nowMs }: Storing): Promise<void> {
  const wants: PlainWant[] = [];
  const sends: BegunSend[] = [];
  for (const [template, own] of Map.groupBy(triggered, (one) => one.template)) {
    const { id, endsAt } = childOf(account, template, nowMs);
    await noteTemplateChild(transaction, {
      account: account.number,
      id,
      mdtId: template.mdtId,
      createdAt: nowMs,
      endsAt,
    });
    const message = messageOf(account, template, { id, nowMs });
    const contacts = [...new Set(own.map(({ recipient }) => recipient.contact))];
    const numbers = await lastSendNumbers(transaction, { account: account.number, message: message.message }, contacts);
    for (const { recipient, recordId, event } of own) {
      const n = (numbers.get(recipient.contact) ?? 0) + 1;
      numbers.set(recipient.contact, n);
      const want = wantIdOf("activity", account.number, template.mdtId, recordId);
      wants.push({ ...wantOfTemplate(template), id: want, event });
      sends.push({ ...message, ...recipient, n, want });
    }
  }
  await insertWants(transaction, wants, nowMs);
  const stored = await insertSends(transaction, { account: account.number, sends, nowMs });
  if (stored.length < sends.length) throw new WriteConflict();
}

/** Returns the day or hour of a template that its sends belong to. */
function childOf({ settings: { timezone } }: Account, { mdtId, settings }: TemplateFacts, nowMs: number) {
  return childMessage({ mdtId, aggregation: readSendSettings(settings).baseAggregation, timezone }, nowMs);
}

interface ChildNow {
  readonly id: string;
  readonly nowMs: number;
}

/** Returns what all sends of a template have in common. */
function messageOf(account: Account, { channel, settings: text }: TemplateFacts, { id, nowMs }: ChildNow) {
  const { classification, priority, onUnknown } = readSendSettings(text);
  return {
    ...{ account: account.number, message: id },
    ...({ kind: "a", state: "pending", variant: null, address: null } as const),
    ...{ channel, classification, priority, dueAt: nowMs },
    resendsLeft: (onUnknown ?? defaultOnUnknown(classification)) === "resend" ? 1 : 0,
  };
}

function wantOfTemplate({ account, key }: TemplateFacts) {
  return { account, template: key, mergeData: "{}" };
}
