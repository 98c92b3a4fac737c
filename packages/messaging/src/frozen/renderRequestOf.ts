import { withoutTrailing } from "@headwater/kernel";
import type { RenderRequest } from "../render/renderMessage.ts";
import type { MessageLinks } from "../tracking/trackMessage.ts";
import type { FrozenMessage } from "./frozenMessage.ts";
import type { StoredContent } from "./storedContent.ts";

/** Values that a message may show, next to its own text. */
export interface MessageContext {
  readonly contact: object;
  readonly mergeData: Readonly<Record<string, unknown>>;
  /** The activity that the message is sent for. */
  readonly event?: Readonly<Record<string, unknown>>;
  /** Records of the sources that the message names. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Key, name, id, channel and classification. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly currency: string;
  };
  readonly links: MessageLinks;
  /** Liquid of the parameters that the account adds to tracked links. They are no value that a content may show. */
  readonly linkParameters?: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly now: string;
}

/** Returns the context that Liquid reads. Names of the merge data stand at the top as well, unless they are taken. */
export function liquidContext({ mergeData, linkParameters: _, ...context }: MessageContext): Record<string, unknown> {
  return { ...mergeData, ...context, mergeData, extVars: mergeData };
}

/** Message whose content is rendered. */
export type MessageToRender = Pick<FrozenMessage, "channel" | "classification" | "includes"> & {
  readonly content: StoredContent;
};

/** Returns the request that renders a message: previews and sends make the same one, so they show the same bytes. */
export function renderRequestOf(
  { channel, classification, content, includes }: MessageToRender,
  context: MessageContext,
): RenderRequest {
  const { message, html } = content;
  const { timezone, currency } = context.account;
  const plain = message.content["text/plain"];
  const json = message.content["application/json"];
  return {
    ...{ channel, timezone, currency, includes, context: liquidContext(context) },
    headers: headersOf(message.headers),
    ...(context.linkParameters !== undefined && { linkParameters: context.linkParameters }),
    ...(html !== undefined && { html }),
    ...(plain !== undefined && { text: plain }),
    ...(json !== undefined && { json }),
    ...(classification === "promotional" && { unsubscribe: context.links.unsubscribe }),
  };
}

/** Returns the links of a message that nobody got: they lead to no contact. */
export function previewLinks(trackingUrl: string): MessageLinks {
  const base = withoutTrailing(trackingUrl, "/");
  return {
    unsubscribe: `${base}/t/u/preview`,
    preferences: `${base}/t/u/preview?preferences`,
    view: `${base}/t/v/preview`,
  };
}

function headersOf(headers: object | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}
