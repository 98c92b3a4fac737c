import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { type Account, toTimestamp } from "@headwater/contracts";
import { runInSlices } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { loadAttributeRules } from "@headwater/records/attributes/postgres";
import { contactRecords } from "@headwater/records/views/contactRecords";
import { z } from "zod";
import { readFrozenMessages } from "../../batchMessages/frozenMessages.ts";
import { freezeTemplate } from "../../frozen/freezeTemplate.ts";
import { type FrozenMessage, readFrozenMessage } from "../../frozen/frozenMessage.ts";
import { type MessageContext, renderRequestOf } from "../../frozen/renderRequestOf.ts";
import { dataOf } from "../../frozen/storedContent.ts";
import { includesOf } from "../../frozen/templateContent.ts";
import { readIncludeContents } from "../../includes/includeUses.ts";
import { messageLimits } from "../../limits.ts";
import { type MessageData, messageDataOf } from "../../messageData/messageDataOf.ts";
import type { Renderer } from "../../renderer/createRenderer.ts";
import { readSend } from "../../sends/sendReads.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { readWants, type SendWant } from "../../sends/wants.ts";
import { readTemplate } from "../../templates/templates.ts";
import { linkBaseOf } from "../../tracking/linkBase.ts";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import { messageLinks, type SendTracking, trackMessage } from "../../tracking/trackMessage.ts";
import { liveContact } from "../contacts/liveContact.ts";
import type { NamedToken } from "../events/messageEvent.ts";

const named = z.record(z.string(), z.unknown());

/** Renders the message that a token names, by media type; undefined once it is no longer kept. Rejects while the store is away. */
export type RenderView = (token: NamedToken) => Promise<Readonly<Record<string, string>> | undefined>;

export interface RenderViewPorts {
  readonly session: Session;
  readonly renders: Renderer;
  readonly tokens: TrackingTokens;
  readonly trackingUrl: string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** Creates the rendering of messages that were sent: of the same content, for the contact as it is now, with the same links. */
export function createRenderView(ports: RenderViewPorts): RenderView {
  const { session } = ports;
  return async (token) => {
    const [account, send] = await Promise.all([findAccountByNumber(session, token.account), readSend(session, token)]);
    if (account === undefined || send === undefined || account.id !== token.names.accountId) return undefined;
    const [viewed, contact] = await Promise.all([
      readViewedMessage(session, send),
      contactView(session, account, token.contact),
    ]);
    if (viewed === undefined || contact === undefined) return undefined;
    const { number, shown: view } = contact;
    const asked = { account, contacts: [number], nowMs: ports.nowMs(), bytesMax: messageLimits.contextBytes };
    const data = (await messageDataOf(session, dataOf(viewed.message.content), asked))(number);
    if (data.kind === "refused") return undefined;
    return render(ports, { account, token, viewed, contact: view, data: data.data });
  };
}

interface Viewing {
  readonly account: Account;
  readonly token: NamedToken;
  readonly viewed: ViewedMessage;
  readonly contact: object;
  readonly data: MessageData;
}

async function render(ports: RenderViewPorts, viewing: Viewing): Promise<Record<string, string> | undefined> {
  const { account, viewed } = viewing;
  const tracking = trackingOf(ports, viewing);
  const request = renderRequestOf(viewed.message, contextOf(viewing, tracking));
  const rendered = await ports.renders.render(account.number, request);
  if (!("content" in rendered)) return undefined;
  const { linkParameters, content, textLinks } = rendered;
  const { "text/html": html, "text/plain": text } = content;
  const { trackLinks, trackOpens } = viewed.message;
  const rules = { trackLinks, trackOpens, linkParameters };
  const tracked = await runInSlices(trackMessage({ ...tracking, html, text, textLinks, ...rules }));
  return {
    ...(tracked.html !== undefined && { "text/html": tracked.html }),
    ...(tracked.text !== undefined && { "text/plain": tracked.text }),
  };
}

/** The time of the message makes its links the same as those that were sent. */
function trackingOf({ tokens, trackingUrl: own }: RenderViewPorts, { account, token, viewed }: Viewing): SendTracking {
  const { vanityDomainKey } = viewed.message;
  const trackingUrl = linkBaseOf({ trackingUrl: own, settings: account.settings.messaging, vanityDomainKey });
  const { message, type, contact, n, names } = token;
  const { cID, channel, variant, composedAt } = names;
  const send = { account, message, type, n, channel, variant, contact: { cID, number: contact } };
  return { send, tokens, trackingUrl, nowMs: composedAt * 1_000 };
}

function contextOf({ account, token, viewed, contact, data }: Viewing, tracking: SendTracking): MessageContext {
  const { id, name, settings } = account;
  const { key, name: title, channel, classification } = viewed.message;
  const [message = ""] = token.message.split(":");
  return {
    contact,
    data,
    mergeData: viewed.mergeData,
    ...(viewed.event !== undefined && { event: viewed.event }),
    message: { ...(key !== null && { key }), name: title, id: message, channel, classification },
    account: { id, name, timezone: settings.timezone, currency: settings.currency },
    linkParameters: settings.messaging.linkParameters,
    links: messageLinks(tracking),
    now: toTimestamp(tracking.nowMs),
  };
}

/** Returns the contact as answers show it, of a merged one its survivor; undefined once it is erased. */
async function contactView(session: Session, account: Account, number: number) {
  const row = await liveContact(session, account.number, number);
  if (row === undefined) return undefined;
  const rules = await loadAttributeRules(session, account);
  const [record] = await contactRecords([row], { account, session, rules });
  return record && { number: row.number, shown: record };
}

/** Message of a send with what its call added. */
interface ViewedMessage {
  readonly message: FrozenMessage;
  readonly mergeData: Readonly<Record<string, unknown>>;
  /** The activity that it was sent for. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Reads what a send said. Undefined once it is no longer kept: calls of templates are for as long as they have sends that are open. */
async function readViewedMessage(session: Session, send: StoredSend): Promise<ViewedMessage | undefined> {
  if (send.kind === "b") {
    const [row] = await readFrozenMessages(session, send.account, [send.message]);
    return row === undefined ? undefined : { message: variantOf(readFrozenMessage(row.frozen), send), mergeData: {} };
  }
  const [want] =
    send.want === null ? [] : await readWants(session, send.account, { ids: [send.want], attachmentBytesMax: 0 });
  if (want === undefined) return undefined;
  const frozen = want.frozen === null ? await templateOf(session, want) : readFrozenMessage(want.frozen);
  const message = frozen && variantOf(frozen, send);
  const event = want.event === null ? {} : { event: named.parse(JSON.parse(want.event)) };
  return message && { message, mergeData: named.parse(JSON.parse(want.mergeData)), ...event };
}

function variantOf(frozen: FrozenMessage, { variant }: StoredSend): FrozenMessage {
  const chosen = frozen.experiment?.variants.find(({ name }) => name === variant);
  return chosen === undefined ? frozen : { ...frozen, content: chosen.content };
}

async function templateOf(session: Session, want: SendWant): Promise<FrozenMessage | undefined> {
  const template = want.template === null ? undefined : await readTemplate(session, want.account, want.template);
  const content = want.isDraft ? (template?.draft ?? template?.published) : template?.published;
  if (template === undefined || content === undefined || content === null) return undefined;
  const contents = await readIncludeContents(session, want.account, includesOf(content));
  return freezeTemplate(template, content, Object.fromEntries(contents.map((one) => [one.key, one.content])));
}
