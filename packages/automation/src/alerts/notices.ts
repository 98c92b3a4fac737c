import { type NewWebhookEvent, publishEvents, repeatEvents } from "@headwater/api/webhookEvents/publishEvents";
import { toTimestamp } from "@headwater/contracts";
import { oneLine } from "@headwater/messaging/compose/mailHeaders";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type AlertRow, alertView } from "./alert.ts";
import type { AlertNotice } from "./fold.ts";
import { insertAlertMails, type NewAlertMail } from "./mailRows.ts";
import { readWebhookWatchers } from "./postgres.ts";

const NAME_CHARACTERS_MAX = 100;

/** A notice of an alert that is to be published and mailed. */
export interface NoticeOfAlert extends AlertNotice {
  /** The alert as the evaluation leaves it. */
  readonly alert: AlertRow;
  /** Name of the message, template or account that it watches. */
  readonly target: string;
}

interface Publishing {
  readonly account: number;
  readonly nowMs: number;
}

/** Publishes events for webhooks and queues mails, in the transaction that stores what the evaluation leaves: each is published once. */
export async function publishNotices(
  transaction: Transaction,
  { account, nowMs }: Publishing,
  notices: readonly NoticeOfAlert[],
): Promise<void> {
  const of = (repeats: boolean) => notices.filter(({ kind }) => (kind === "reminded") === repeats);
  await publishEvents(
    transaction,
    { account, nowMs },
    of(false).map((notice) => eventOf(notice, nowMs)),
  );
  await repeatEvents(
    transaction,
    { account, nowMs },
    of(true).map((notice) => eventOf(notice, nowMs)),
  );
  await insertAlertMails(
    transaction,
    { account, nowMs },
    notices.flatMap((notice) => mailsOf(notice, nowMs)),
  );
}

/** Publishes that an alert that was raised is so no longer, because it was changed, disabled or deleted. Nobody gets a mail. */
export async function publishWithdrawn(
  transaction: Transaction,
  { account, nowMs }: Publishing,
  { alert, raisedAt }: { readonly alert: AlertRow; readonly raisedAt: number },
): Promise<void> {
  const notice = { kind: "cleared", raisedAt, alert, target: "" } as const;
  await publishEvents(transaction, { account, nowMs }, [eventOf(notice, nowMs)]);
}

/** Both events of a crossing have its time in their sources: a repeat has the id of the first. */
function eventOf({ kind, raisedAt, alert }: NoticeOfAlert, at: number): NewWebhookEvent {
  const type = kind === "cleared" ? "alert.cleared" : "alert.raised";
  return { type, source: `${alert.id}/${raisedAt}`, at, data: alertView(alert), ids: { id: alert.id } };
}

const VERBS = { raised: "is", reminded: "is still", cleared: "is back to" } as const;

function mailsOf({ kind, raisedAt, alert, target }: NoticeOfAlert, nowMs: number): NewAlertMail[] {
  const { id, type, value, period, conditions, asOf, since, notify } = alert;
  const name = oneLine(target).slice(0, NAME_CHARACTERS_MAX);
  const subject = `[Headwater] ${type} of ${name} ${VERBS[kind]} ${value}`;
  const lines = [
    `Alert: ${id}`,
    `Type: ${type}`,
    `Of: ${name}`,
    `Value: ${value}, over the last ${period} minutes`,
    `Conditions: ${conditions.map((condition) => `${condition.operator} ${condition.value}`).join(", ")}`,
    ...(asOf === null ? [] : [`Counted up to: ${toTimestamp(asOf)}`]),
    ...(since === null ? [] : [`${kind === "cleared" ? "Cleared" : "Raised"} at: ${toTimestamp(since)}`]),
  ];
  const notice = `${id}/${raisedAt}/${kind}${kind === "reminded" ? `/${nowMs}` : ""}`;
  return notify.map((address) => ({ notice, address, subject, body: `${lines.join("\n")}\n` }));
}

/** A webhook that was disabled by itself. */
export interface DisabledEndpoint {
  readonly id: string;
  readonly url: string;
  readonly reason: string | null;
}

/** Queues mails about webhooks that were disabled, to the addresses of the account's enabled alerts of type `webhook-disabled`. */
export async function mailDisabledWebhook(
  transaction: Transaction,
  { account, nowMs }: Publishing,
  { id, url, reason }: DisabledEndpoint,
): Promise<void> {
  const addresses = await readWebhookWatchers(transaction, account);
  const host = URL.parse(url)?.hostname ?? "";
  const why = reason === "gone" ? "It answered 410." : "It has failed for five days.";
  const lines = [`Webhook: ${id}`, `Host: ${host}`, why, "Nothing is posted to it until it is enabled again."];
  const shared = { subject: `[Headwater] webhook ${id} on ${host} was disabled`, body: `${lines.join("\n")}\n` };
  const mails = addresses.map((address) => ({ notice: `webhook/${id}/${nowMs}`, address, ...shared }));
  await insertAlertMails(transaction, { account, nowMs }, mails);
}
