import { type NewWebhookEvent, publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import {
  type ActivityChangeEvent,
  type ContactChangeEvent,
  identifierOfChannel,
  lanes,
  parseTime,
  positionOfVersion,
  timeOfVersion,
  toTimestamp,
} from "@headwater/contracts";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { liveContactParts } from "@headwater/records/contacts/liveContacts";
import { addressOf, type Contact } from "@headwater/records/contacts/model";
import type { ReadChange } from "../runs/readFacts.ts";
import { messageActions } from "./webhook.ts";

const listeningStatement = {
  name: "webhooks_listening_accounts",
  text: `SELECT DISTINCT account FROM webhooks WHERE account = ANY ($1::int[])
    AND events && '{activity.created,message.event,contact.subscribed,contact.unsubscribed}'::text[]`,
};

/** Publishes what change events say of contacts and their activities, in the transaction that stores that they were read. */
export async function publishChanges(
  transaction: Transaction,
  changes: readonly ReadChange[],
  nowMs: number,
): Promise<void> {
  const relevant = changes.filter(isEvent);
  if (relevant.length === 0) return;
  const accounts = plainArray([...new Set(relevant.map(({ value }) => value.account))], (account) => account);
  const listening = await transaction.query<{ account: number }>(listeningStatement, [accounts]);
  for (const { account } of listening) {
    const own = relevant.filter(({ value }) => value.account === account);
    const contacts = await contactsOf(transaction, account, own);
    const events = own.flatMap((change) => eventsOf(change, contacts.get(change.value.contact)));
    await publishEvents(transaction, { account, nowMs }, events);
  }
}

type ContactOrActivity = Extract<ReadChange, { kind: "contact" | "activity" }>;

function isEvent(change: ReadChange): change is ContactOrActivity {
  if (change.kind === "activity") return true;
  return change.kind === "contact" && change.value.erased !== true && change.value.fields.some(isStatus);
}

/** Returns the contacts of changes as they are now, by the number of the change. One that is erased is not among them. */
async function contactsOf(
  transaction: Transaction,
  account: number,
  changes: readonly ContactOrActivity[],
): Promise<ReadonlyMap<number, Contact>> {
  const numbers = [...new Set(changes.map(({ value }) => value.contact))];
  const contacts = new Map<number, Contact>();
  for await (const part of liveContactParts(transaction, account, numbers))
    for (const row of part) contacts.set(row.asked, fromRow(row));
  return contacts;
}

function eventsOf(change: ContactOrActivity, contact: Contact | undefined): NewWebhookEvent[] {
  if (contact === undefined) return [];
  return change.kind === "activity" ? activityEvents(change.value, contact) : statusEvents(change.value, contact);
}

function activityEvents({ id, action, time, properties, version }: ActivityChangeEvent, { cid }: Contact) {
  const at = parseTime(time, "UTC") ?? timeOfVersion(version);
  const shared = { source: id, at, contact: cid, action };
  const created = { id, cID: cid, action, time };
  const event = { type: "activity.created", ...shared, data: { ...created, properties }, ids: created } as const;
  const { mcID } = properties;
  if (typeof mcID !== "string" || !messageActions.includes(action)) return [event];
  const ids = { mcID, action, time };
  return [event, { type: "message.event", ...shared, data: { ...ids, properties }, ids } as const];
}

const STATUS_PATH = /^channels\.(.+)\.subscribeStatus$/;

function isStatus([path, value]: ContactChangeEvent["fields"][number]): boolean {
  return STATUS_PATH.test(path) && (value === "subscribed" || value === "unsubscribed");
}

function statusEvents({ fields, version: whole }: ContactChangeEvent, contact: Contact): NewWebhookEvent[] {
  return fields.filter(isStatus).map(([path, status, version = whole]) => {
    const channel = STATUS_PATH.exec(path)?.[1] ?? "";
    const at = timeOfVersion(version);
    const address = addressOf(contact, channel, identifierOfChannel(channel));
    const by = { kind: positionOfVersion(version).lane === lanes.v2 ? "v2" : "record" };
    const ids = { cID: contact.cid, channel, at: toTimestamp(at), by };
    const data = { ...ids, ...(address !== undefined && { address }) };
    const type = status === "subscribed" ? "contact.subscribed" : "contact.unsubscribed";
    return { type, source: `${contact.cid}/${channel}/${version}`, at, contact: contact.cid, data, ids };
  });
}
