import { type Account, carriesSender, toTimestamp } from "@headwater/contracts";
import { HeadwaterError, runInSlices } from "@headwater/kernel";
import { signingKeys, signMail } from "../../compose/dkim.ts";
import { mailHeaders } from "../../compose/mailHeaders.ts";
import type { OutgoingMail } from "../../frozen/handover.ts";
import { type MessageContext, previewLinks, renderRequestOf } from "../../frozen/renderRequestOf.ts";
import type { RenderedMessage } from "../../render/renderMessage.ts";
import type { RenderProblem } from "../../renderer/renderProblem.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import { type MessageLinks, messageLinks, type SendTracking, trackMessage } from "../../tracking/trackMessage.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import type { MailRenderer } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";

export interface Composing {
  readonly account: Account;
  readonly send: StoredSend;
  readonly wanted: WantedMessage;
  /** The contact as answers show it. */
  readonly contact: object;
  /** Records of the message's sources. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly transport: OpenTransport;
  readonly trackingUrl: string;
  readonly tokens: TrackingTokens | undefined;
  readonly nowMs: number;
}

/** A message that is ready to go, or why it cannot be made for this contact. */
export type Composed =
  | { readonly kind: "composed"; readonly mail: OutgoingMail }
  | { readonly kind: "skip"; readonly reason: "render-failed" | "missing-data"; readonly text?: string }
  /** All processes are taken: once more at `until`. */
  | { readonly kind: "hold"; readonly reason: "render"; readonly until: number };

const BUSY_MS = 1_000;
/** Characters of a send's text. */
const TEXT_CHARACTERS = 200;
const NOT_ITS_SENDER = "The transport does not send from the domain of `fromEmail`.";

/** Returns the id of one message to one contact. */
export function mcIdOf({ id }: Pick<Account, "id">, { message, kind, cid, n }: StoredSend): string {
  return [id, message, kind, cid, n].join(":");
}

/** Renders a message for its contact and puts it together as it goes over the wire. */
export async function composeSend(composing: Composing, renders: MailRenderer): Promise<Composed> {
  const { account, wanted, nowMs } = composing;
  const request = renderRequestOf(wanted.message, contextOf(composing));
  const busy = { kind: "hold", reason: "render", until: nowMs + BUSY_MS } as const;
  const rendered = await renders.render(account.number, request).catch(unlessBusy);
  if (rendered === undefined) return busy;
  if (!("content" in rendered)) return { kind: "skip", reason: "render-failed", text: textOf(rendered) };
  const isMissing = rendered.warnings.some(({ code }) => code === "missing_value" || code === "not_a_date");
  if (wanted.message.strict && isMissing) return { kind: "skip", reason: "missing-data" };
  if (!isCarried(composing, rendered)) return { kind: "skip", reason: "render-failed", text: NOT_ITS_SENDER };
  const mail = await mailOf(composing, rendered, renders).catch(unlessBusy);
  if (mail === undefined) return busy;
  if (!("mcId" in mail)) return { kind: "skip", reason: "render-failed", text: textOf(mail) };
  return { kind: "composed", mail };
}

/** Says what could not be rendered, without values of the contact. */
function textOf({ path, line, column, message, holdsValues }: RenderProblem): string {
  const position = line === undefined ? path : `${path}, line ${line}, column ${column}`;
  const why = holdsValues === true ? "The Liquid cannot be rendered for this contact." : message;
  return `${position}: ${why}`.slice(0, TEXT_CHARACTERS);
}

/** A sender may follow from the contact: this one was never checked before. */
function isCarried({ wanted, transport }: Composing, { headers }: RenderedMessage): boolean {
  return wanted.message.channel !== "email" || carriesSender(transport.fromDomains, headers.fromEmail ?? "");
}

/** Passes over an error that says that too many renders wait. @throws any other one. */
function unlessBusy(error: unknown): undefined {
  if (!(error instanceof HeadwaterError) || !error.retriable) throw error;
}

function contextOf(composing: Composing): MessageContext {
  const { account, send, wanted, contact, data, nowMs } = composing;
  const { id, name, settings } = account;
  const { key, name: title, channel, classification } = wanted.message;
  const [message = ""] = send.message.split(":");
  return {
    contact,
    data,
    mergeData: wanted.mergeData,
    ...(wanted.event !== undefined && { event: wanted.event }),
    message: { ...(key !== null && { key }), name: title, id: message, channel, classification },
    account: { id, name, timezone: settings.timezone, currency: settings.currency },
    linkParameters: settings.messaging.linkParameters,
    links: linksOf(composing),
    now: toTimestamp(nowMs),
  };
}

/** Returns what makes the tokens of a send; undefined without a key. Those of tests have no effect, also of one whom nobody knows. */
function trackingOf({ account, send, tokens, trackingUrl, nowMs }: Composing): SendTracking | undefined {
  if (tokens === undefined) return undefined;
  const { message, kind, contact, cid, n, channel, variant } = send;
  const tracked = {
    ...{ account, message, type: kind, n, channel, contact: { cID: cid, number: contact } },
    ...(variant !== null && { variant }),
  };
  return { send: tracked, tokens, trackingUrl, nowMs };
}

function linksOf(composing: Composing): MessageLinks {
  const tracking = trackingOf(composing);
  return tracking === undefined ? previewLinks(composing.trackingUrl) : messageLinks(tracking);
}

async function mailOf(
  composing: Composing,
  rendered: RenderedMessage,
  renders: MailRenderer,
): Promise<OutgoingMail | RenderProblem> {
  const { account, send, wanted, address, transport, nowMs } = composing;
  const mcId = mcIdOf(account, send);
  const { headers, content } = rendered;
  const { channel, classification, bcc } = wanted.message;
  const { fromEmail = "" } = headers;
  const shared = { mcId, channel, classification, address, content, headers, returnPath: fromEmail };
  if (channel !== "email") return { ...shared, copies: [] };
  const { returnPath = fromEmail, ...mail } = await emailOf(composing, rendered);
  const { html, text, attachments } = mail;
  const tracked = { ...shared, content: { ...content, "text/html": html, "text/plain": text } };
  const copies = bcc === null ? [] : [bcc];
  if (transport.type === "http") {
    const { fromDesc, replyEmail } = mail.headers;
    const relayed = { headers: mailHeaders(mail), fromName: fromDesc, replyTo: replyEmail, attachments };
    return { ...tracked, relayed, returnPath, copies };
  }
  const keys = transport.dkim;
  const isSigned = signingKeys({ fromEmail, keys }).length > 0;
  const composed = await renders.compose(account.number, { mcId, to: address, isSigned, ...mail });
  if (!("bytes" in composed)) return composed;
  const raw = await signMail(composed, { fromEmail, keys, nowMs });
  return { ...tracked, raw, returnPath, copies };
}

/** Puts links, pixel and headers in: `List-Unsubscribe` leads to the same place as the link in the content. */
async function emailOf(composing: Composing, { headers, content, textLinks, linkParameters }: RenderedMessage) {
  const { account, send, wanted, transport, nowMs } = composing;
  const { classification, trackLinks, trackOpens } = wanted.message;
  const { subject = "", fromEmail = "", fromDesc = "", replyEmail } = headers;
  const { "text/html": html = "", "text/plain": text = "" } = content;
  const tracking = trackingOf(composing);
  const { returnPath } = transport;
  const tracked =
    tracking &&
    (await runInSlices(
      trackMessage({
        ...tracking,
        html,
        text,
        textLinks,
        linkParameters,
        trackLinks,
        trackOpens,
        ...(returnPath && { returnPath }),
      }),
    ));
  const [message = ""] = send.message.split(":");
  const domain = fromEmail.slice(fromEmail.lastIndexOf("@") + 1).toLowerCase();
  return {
    ...{ classification, nowMs, html: tracked?.html ?? html, text: tracked?.text ?? text },
    headers: { subject, fromEmail, fromDesc, ...(replyEmail !== undefined && { replyEmail }) },
    listId: `${account.id}.${domain}`,
    feedbackId: `${message}:${account.id}:${send.kind}:headwater`,
    ...(tracked !== undefined && { unsubscribe: tracked.listUnsubscribe }),
    attachments: wanted.attachments,
    returnPath: tracked?.returnPath,
  };
}
