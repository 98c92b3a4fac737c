import type { Account } from "@headwater/contracts";
import { type MessageDataSource, toTimestamp } from "@headwater/contracts";
import { type MessageContext, previewLinks, renderRequestOf } from "../frozen/renderRequestOf.ts";
import { dataOf, type StoredContent } from "../frozen/storedContent.ts";
import { readIncludeContents } from "../includes/includeUses.ts";
import { messageLimits } from "../limits.ts";
import { messageDataOf } from "../messageData/messageDataOf.ts";
import type { RoutePorts } from "../ports.ts";
import type { RenderedMessage } from "../render/renderMessage.ts";
import { linkBaseOf } from "../tracking/linkBase.ts";
import { invalidContent, renderFailed } from "./prepareParts.ts";

/** Ports of the routes that render messages. */
export type RenderPorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "renders" | "trackingUrl">;

export interface StoredToRender {
  readonly content: StoredContent;
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  /** Facts that the content may name. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly contact: ContactView;
  readonly account: Account;
  /** Key of the domain that its links begin with; undefined for the tracker's own. */
  readonly vanityDomainKey?: string | undefined;
}

/** A rendered content as the routes show it: links lead to their targets, as without tracking. */
export type MessageView = Omit<RenderedMessage, "linkParameters" | "textLinks">;

/** Renders a stored content for a contact. @throws HeadwaterError 422 `VALIDATION_ERROR` with `render_failed`. */
export async function renderStored(
  { content, channel, classification, about, contact, account, vanityDomainKey }: StoredToRender,
  ports: RenderPorts,
): Promise<MessageView> {
  const [context, contents] = await Promise.all([
    renderContext({ contact, account, message: about, sources: dataOf(content), vanityDomainKey }, ports),
    readIncludeContents(ports.postgres, account.number, content.includes),
  ]);
  const includes = Object.fromEntries(contents.map(({ key: include, content: text }) => [include, text]));
  const request = renderRequestOf({ channel, classification, content, includes }, context);
  const rendered = await ports.renders.render(account.number, request);
  if (!("content" in rendered)) throw invalidContent([renderFailed(rendered)]);
  const { linkParameters: _, textLinks: __, ...view } = rendered;
  return view;
}

/** A contact as answers show it. */
interface ContactView {
  readonly number: number;
  readonly shown: object;
}

interface RenderedFor {
  readonly contact: ContactView;
  readonly account: Account;
  readonly message: Readonly<Record<string, unknown>>;
  /** Sources of the records that it shows. */
  readonly sources: readonly MessageDataSource[];
  /** Key of the domain that its links begin with. */
  readonly vanityDomainKey?: string | undefined;
}

type ContextPorts = Pick<RoutePorts, "clock" | "postgres" | "trackingUrl">;

/** Gathers what a message may say of a contact. @throws HeadwaterError 422 `VALIDATION_ERROR` with `render_failed`. */
async function renderContext(
  { contact: { number, shown: displayed }, account, message, sources, vanityDomainKey }: RenderedFor,
  ports: ContextPorts,
): Promise<MessageContext> {
  const nowMs = ports.clock.nowMs();
  const asked = { account, contacts: [number], nowMs, bytesMax: messageLimits.contextBytes };
  const data = (await messageDataOf(ports.postgres, sources, asked))(number);
  if (data.kind === "refused") throw invalidContent([renderFailed({ path: "/message/data", message: data.message })]);
  const { id, name, settings } = account;
  const { timezone, currency, messaging } = settings;
  return {
    contact: displayed,
    mergeData: {},
    data: data.data,
    message,
    account: { id, name, timezone, currency },
    linkParameters: messaging.linkParameters,
    links: previewLinks(linkBaseOf({ trackingUrl: ports.trackingUrl, settings: messaging, vanityDomainKey })),
    now: toTimestamp(nowMs),
  };
}
