import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { formatDecimal, timesCount } from "@headwater/contracts";
import { z } from "zod";
import { type Customer, emailOf, toCustomers } from "../dataset/customers.ts";
import type { Line } from "../dataset/lines.ts";
import { type IntakeRequest, toRequest } from "../dataset/requests.ts";
import { DemoFailure } from "../demoFailure.ts";
import type { HttpApi } from "../httpApi.ts";
import { followAll } from "../loading/follow.ts";
import { sendAll } from "../loading/send.ts";
import { mailTransport } from "./transport.ts";

export const RECIPIENTS = 100;

/** Audience of the mail. */
const MAIL_LIST = "last-order-mail";

/** Products of an order that the mail names. */
const ITEMS_DISPLAYED = 5;

export const SUBJECT = "Thank you for your order";
const TAG = "demo-mail";
const POLL_MS = 200;
const SENDING_MAX_MS = 120_000;
const HTML = new URL("./mail.html", import.meta.url);

const created = z.object({ id: z.string() });
const message = z.object({
  id: z.string(),
  status: z.string(),
  sendTime: z.string().optional(),
  delivery: z.looseObject({ sent: z.number() }).optional(),
});
const page = z.object({ data: z.array(message) });

/** The mail, as the service shows it. */
export type Mail = z.output<typeof message>;

export interface Campaign {
  readonly mail: Mail;
  readonly recipients: Recipients;
  /** False when an earlier start sent it. */
  readonly isNew: boolean;
}

/** Sends a mail with their last order to 100 customers, once. @throws DemoFailure when it cannot be sent. */
export async function runCampaign(api: HttpApi, lines: readonly Line[], smtpUrl: string): Promise<Campaign> {
  const recipients = toRecipients(lines);
  const transportID = await mailTransport(api, smtpUrl);
  const [known] = page.parse(await api.get(`/v2/batchmessages?tags=${TAG}&sort_dir=asc`)).data;
  if (known !== undefined && known.status !== "draft") {
    return { mail: await whenOver(api, known.id), recipients, isNew: false };
  }
  await know(api, recipients);
  const id = known?.id ?? (await createMail(api, transportID));
  await api.write("PUT", `/v2/batchmessages/${id}/send`, {});
  return { mail: await whenOver(api, id), recipients, isNew: true };
}

/** Sends the recipients, and waits until audiences have them. */
async function know(api: HttpApi, { contacts, list, emails }: Recipients): Promise<void> {
  let last = "";
  for (const requests of [contacts, list]) {
    const accepted = await sendAll(api, requests, () => undefined);
    const { rejected, reasons } = await followAll(api, accepted, () => undefined);
    if (rejected > 0) throw new DemoFailure(`${rejected} recipients were rejected; the first: ${reasons.join("; ")}`);
    last = accepted.at(-1)?.receipt ?? last;
  }
  const counted = await api.post(`/v2/audiencecount?after=${encodeURIComponent(last)}`, audience);
  const { count } = z.object({ count: z.number() }).parse(counted);
  if (count !== emails.length) throw new DemoFailure(`The mail's audience has ${count} contacts.`);
}

const audience = { and: [{ list: MAIL_LIST, op: "in" }] };

async function createMail(api: HttpApi, transportID: string): Promise<string> {
  const body = {
    ...{ name: "Your last order", channel: "email", classification: "promotional", tags: [TAG], audience, transportID },
    message: {
      headers: {
        subject: SUBJECT,
        fromEmail: "news@shop.example.com",
        fromDesc: "The gift shop",
        replyEmail: "help@shop.example.com",
      },
      content: { "text/html": await readFile(HTML, "utf8") },
    },
  };
  return created.parse(await api.write("POST", "/v2/batchmessages", body)).id;
}

async function whenOver(api: HttpApi, id: string): Promise<Mail> {
  const endMs = performance.now() + SENDING_MAX_MS;
  for (;;) {
    const mail = message.parse(await api.get(`/v2/batchmessages/${id}`));
    if (!["pending", "processing"].includes(mail.status)) return mail;
    if (performance.now() > endMs) throw new DemoFailure(`The mail ${id} is not sent after two minutes.`);
    await sleep(POLL_MS);
  }
}

/** The customers who spent most, in that order, each subscribed and with the last order that was no return. */
interface Recipients {
  readonly emails: readonly string[];
  readonly contacts: readonly IntakeRequest[];
  /** Puts them on the list, once they are known. */
  readonly list: readonly IntakeRequest[];
}

export function toRecipients(lines: readonly Line[]): Recipients {
  const bought = lines.filter(({ isReturn }) => !isReturn);
  const byCustomer = Map.groupBy(bought, ({ customer }) => customer);
  const chosen = toCustomers(bought)
    .toSorted(bySpend)
    .slice(0, RECIPIENTS)
    .map(({ id }) => id);
  const bodies = chosen.map((id) => toContactBody(id, byCustomer.get(id) ?? []));
  const identifiers = chosen.map((id) => ({ email: emailOf(id) }));
  return {
    emails: chosen.map(emailOf),
    contacts: [toRequest("upsertContact", bodies, bodies.length)],
    list: [toRequest("addContactsToList", [{ listName: MAIL_LIST, identifiers }], identifiers.length)],
  };
}

function bySpend(left: Customer, right: Customer): number {
  if (left.spent === right.spent) return left.id < right.id ? -1 : 1;
  return left.spent > right.spent ? -1 : 1;
}

function toContactBody(id: string, lines: readonly Line[]): object {
  const last = lines.toSorted((left, right) => (left.time < right.time ? -1 : 1)).at(-1);
  const order = lines.filter(({ invoice }) => invoice === last?.invoice);
  const total = order.reduce((sum, { price, quantity }) => sum + timesCount(price, quantity), 0n);
  return {
    identifiers: { email: emailOf(id) },
    canBeUpdated: true,
    attributes: {
      channels: { email: { address: emailOf(id), subscribeStatus: "subscribed" } },
      last_order: last?.invoice,
      last_order_at: last?.time,
      last_order_total: Number(formatDecimal(total)),
      last_order_lines: order.length,
      last_order_items: order
        .slice(0, ITEMS_DISPLAYED)
        .map(({ quantity, description }) => `${quantity} × ${description}`),
    },
  };
}
