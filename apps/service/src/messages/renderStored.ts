import type { Account } from "@headwater/contracts";
import type { RenderedMessage, StoredContent } from "@headwater/messaging";
import { readIncludeContents } from "@headwater/stores/includes";
import type { RoutePorts } from "../ports.ts";
import { invalidContent, renderFailed } from "./prepareParts.ts";
import { previewLinks, renderContext } from "./renderContext.ts";

/** Ports of the routes that render messages. */
export type RenderPorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "renders" | "trackingUrl">;

export interface StoredToRender {
  readonly content: StoredContent;
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  /** Facts that the content may name. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly account: Account;
}

/** Renders a stored content for a contact. Throws 404 for an unknown contact, 422 `VALIDATION_ERROR` with `render_failed`. */
export async function renderStored(
  { content, channel, classification, about, contact, account }: StoredToRender,
  ports: RenderPorts,
): Promise<RenderedMessage> {
  const { message, html, includes } = content;
  const [context, contents] = await Promise.all([
    renderContext({ contact, account, message: about }, ports),
    readIncludeContents(ports.postgres, account.number, includes),
  ]);
  const { timezone, currency } = account.settings;
  const plain = message.content["text/plain"];
  const json = message.content["application/json"];
  const rendered = await ports.renders.render(account.number, {
    ...{ channel, timezone, currency, context },
    headers: headersOf(message.headers),
    ...(html !== undefined && { html }),
    ...(plain !== undefined && { text: plain }),
    ...(json !== undefined && { json }),
    includes: Object.fromEntries(contents.map(({ key: include, content: text }) => [include, text])),
    ...(classification === "promotional" && { unsubscribe: previewLinks(ports.trackingUrl).unsubscribe }),
  });
  if (!("content" in rendered)) throw invalidContent([renderFailed(rendered)]);
  return rendered;
}

function headersOf(headers: object | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}
