import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";

import { freezeTemplate } from "../frozen/freezeTemplate.ts";
import type { FrozenMessage } from "../frozen/frozenMessage.ts";
import { includesOf } from "../frozen/templateContent.ts";
import { readIncludeContents } from "../includes/includeUses.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import { problemOfSenders } from "../messages/senderDomain.ts";
import { readDefaultTransport, type StoredTransport, transports } from "../transports/postgres.ts";
import type { TemplateEntry } from "./entry.ts";
import { readTemplate, type StoredTemplate } from "./templates.ts";
import { readTemplateSettings, unknownTemplate } from "./templateView.ts";

/** A template that may be sent. */
export interface WantedTemplate {
  readonly mdtId: string;
  readonly aggregation: "daily" | "hourly";
  readonly message: FrozenMessage;
  readonly entry: TemplateEntry;
}

const LIQUID = /\{[{%]/;
const UNSUBSCRIBE = /\blinks\s*\.\s*unsubscribe\b/;

/**
 * Finds a template and checks that it can be sent. Throws 404 `RECORD_NOT_FOUND`, 422 `TEMPLATE_NOT_PUBLISHED`, `TRANSPORT_REQUIRED`, and
 * `VALIDATION_ERROR` for a disabled API trigger, which a test does not need, or a sender that the transport does not carry.
 */
export async function wantedTemplate(
  transaction: Transaction,
  account: Account,
  { key, isDraft }: { readonly key: string; readonly isDraft: boolean },
): Promise<WantedTemplate> {
  const template = await readTemplate(transaction, account.number, key);
  if (template === undefined) throw unknownTemplate();
  const content = isDraft ? (template.draft ?? template.published) : template.published;
  if (content === null) throw refusal("TEMPLATE_NOT_PUBLISHED", "The template was never published.");
  if (!isDraft) expectApiTrigger(template);
  const transport = await outwardTransport(transaction, account, template);
  const message = await frozenOf(transaction, account, { template, content });
  expectSender(transport, message);
  const { baseAggregation: aggregation, entry } = readTemplateSettings(template);
  return { mdtId: template.mdtId, aggregation, message, entry };
}

interface ContentOf {
  readonly template: Pick<StoredTemplate, "key" | "channel" | "tags" | "transportId" | "settings">;
  /** JSON text. */
  readonly content: string;
}

/** Returns a template as it is sent now. @throws HeadwaterError 422 `VALIDATION_ERROR` when it lacks the unsubscribe link that the account requires. */
export async function sendableOf(transaction: Transaction, account: Account, of: ContentOf): Promise<FrozenMessage> {
  const message = await frozenOf(transaction, account, of);
  expectUnsubscribeLink(account, message);
  return message;
}

async function frozenOf(transaction: Transaction, { number }: Account, { template, content }: ContentOf) {
  const contents = await readIncludeContents(transaction, number, includesOf(content));
  const includes = Object.fromEntries(contents.map(({ key: name, content: text }) => [name, text]));
  return freezeTemplate(template, content, includes);
}

function expectApiTrigger(template: Pick<StoredTemplate, "settings">): void {
  if (readTemplateSettings(template).triggers.api.enabled) return;
  const message = "The API trigger of the template is disabled.";
  throw invalidContent([{ path: "/triggers/api/enabled", code: "not_allowed", message }]);
}

async function outwardTransport(
  transaction: Transaction,
  { number }: Account,
  { transportId, channel }: { readonly transportId: string | null; readonly channel: string },
): Promise<StoredTransport> {
  const transport =
    transportId === null
      ? await readDefaultTransport(transaction, number, channel)
      : await transports.read(transaction, { account: number, key: transportId });
  if (transport?.enabled === true) return transport;
  const message = "The template names no transport that is enabled, and its channel has no default one.";
  throw refusal("TRANSPORT_REQUIRED", message);
}

/** The transport sends from the domain of each sender that is the same for all contacts; others are checked when they are rendered. */
function expectSender(transport: StoredTransport, { channel, content, experiment }: FrozenMessage): void {
  if (channel !== "email") return;
  const contents = [content, ...(experiment?.variants ?? []).map((variant) => variant.content)];
  const senders = contents.flatMap(({ message: { headers } }) => headers?.fromEmail ?? []);
  const problem = problemOfSenders(
    transport,
    senders.filter((from) => !LIQUID.test(from)).map((from) => from.trim()),
  );
  if (problem !== undefined) throw invalidContent([problem]);
}

/**
 * Expects the link that the account requires of promotional email: the content and that of each variant hold it, themselves or by an include.
 * @throws HeadwaterError 422 `VALIDATION_ERROR`.
 */
export function expectUnsubscribeLink(
  { settings }: Account,
  { channel, classification, content, includes, experiment }: FrozenMessage,
): void {
  const isNeeded = settings.messaging.requireUnsubscribeLink && classification === "promotional" && channel === "email";
  const texts = [content, ...(experiment?.variants ?? []).map((variant) => variant.content)];
  const isIncluded = Object.values(includes).some((text) => UNSUBSCRIBE.test(text));
  if (!isNeeded || isIncluded || texts.every(({ html = "" }) => UNSUBSCRIBE.test(html))) return;
  const message = "Promotional email must hold a link to `links.unsubscribe`.";
  throw invalidContent([{ path: "/message/content/text~1html", code: "required", message }]);
}
