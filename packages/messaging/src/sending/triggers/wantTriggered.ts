import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import { accountsOfTriggeredEvents, takeTriggeredEvents } from "@headwater/intake/triggers/storedTriggeredEvents";
import { wantIdOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { entryKeyOf } from "../../templates/entry.ts";
import { readTemplatesById, type TemplateFacts } from "../../templates/templates.ts";
import { readTemplateSettings } from "../../templates/templateView.ts";
import { lockRecipients, type WantedSend, wantSends } from "../../templates/wantSends.ts";
import { askEntries } from "../../triggers/entryQuestions.ts";
import { enterTemplate } from "../../triggers/templateEntries.ts";
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
  const contacts = events.map(({ contact }) => contact);
  const recipients = await lockRecipients(transaction, account, contacts);
  const mdtIds = [...new Set(events.map(({ mdtId }) => mdtId))];
  const templates = await readTemplatesById(transaction, account.number, mdtIds);
  const byId = new Map(templates.map((template) => [template.mdtId, template]));
  const wanted = events.flatMap(({ mdtId, contact, recordId, event }) => {
    const [template, recipient] = [byId.get(mdtId), recipients.get(contact)];
    // Of a template or contact that is gone there is nobody left to ask what became of it.
    if (template === undefined || recipient === undefined) return [];
    const want = wantIdOf("activity", account.number, mdtId, recordId);
    return [{ template, recipient, want, mergeData: "{}", event }];
  });
  const decided: WantedSend[] = [];
  for (const [template, own] of Map.groupBy(wanted, (one) => one.template))
    decided.push(...(await decideEntries(transaction, { account, template, nowMs }, own)));
  await wantSends(transaction, { account, kind: "a", wanted: decided, nowMs });
  for (const [template, own] of Map.groupBy(decided, (one) => one.template)) {
    const { entry } = readTemplateSettings(template);
    const entering = own.flatMap(({ refused, recipient: { contact }, want, event }) =>
      refused === undefined ? [{ contact, want, key: entryKeyOf(entry, propertiesOf(event ?? "{}")) }] : [],
    );
    await askEntries(transaction, { template, entry, nowMs }, entering);
  }
}

interface Entered {
  readonly account: Account;
  readonly template: TemplateFacts;
  readonly nowMs: number;
}

/** Returns the sends of one template, with the reasons of those that its entry refuses: the list of its sends says why. */
async function decideEntries(
  transaction: Transaction,
  { account, template, nowMs }: Entered,
  wanted: readonly (WantedSend & { readonly event: string })[],
): Promise<WantedSend[]> {
  const { entry } = readTemplateSettings(template);
  const entering = wanted.map(({ recipient: { contact }, want, event }) => {
    return { contact, want, key: entryKeyOf(entry, propertiesOf(event)) };
  });
  const refusals = await enterTemplate(transaction, { account, template, entry, nowMs }, entering);
  return wanted.map((one, index) => {
    const refused = refusals[index];
    return refused === undefined ? one : { ...one, refused };
  });
}

/** @param event JSON text of an activity as Liquid reads it. */
function propertiesOf(event: string): unknown {
  const read: unknown = JSON.parse(event);
  return Reflect.get(Object(read), "properties");
}
