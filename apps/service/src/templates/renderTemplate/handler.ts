import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { type RenderRequest, readContent } from "@headwater/messaging";
import { readIncludeContents } from "@headwater/stores/includes";
import { readTemplate, type StoredTemplate } from "@headwater/stores/templates";
import { invalidContent, renderFailed } from "../../messages/prepareParts.ts";
import { previewLinks, renderContext } from "../../messages/renderContext.ts";
import type { RenderPorts } from "../templatePorts.ts";
import { readTemplateSettings, unknownTemplate } from "../templateView.ts";

export interface RenderCall {
  readonly key: string;
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly which: "draft" | "published";
  readonly account: Account;
}

/**
 * Renders a template for a contact. Throws 404 for an unknown template or contact, 422 `TEMPLATE_NOT_PUBLISHED`,
 * `VALIDATION_ERROR` with `render_failed`.
 */
export async function renderOne({ key, contact, which, account }: RenderCall, ports: RenderPorts): Promise<Answer> {
  const template = await readTemplate(ports.postgres, account.number, key);
  if (template === undefined) throw unknownTemplate();
  const request = await requestOf(template, { contact, which, account }, ports);
  const rendered = await ports.renders.render(account.number, request);
  if (!("content" in rendered)) throw invalidContent([renderFailed(rendered)]);
  return { status: 200, body: { ...rendered, experiments: [] } };
}

async function requestOf(
  template: StoredTemplate,
  { contact, which, account }: Omit<RenderCall, "key">,
  ports: RenderPorts,
): Promise<RenderRequest> {
  const { published, draft, channel, key, mdtId } = template;
  const text = which === "draft" ? (draft ?? published) : published;
  if (text === null) throw refusal("TEMPLATE_NOT_PUBLISHED", "The template was never published.");
  const { name, classification } = readTemplateSettings(template);
  const { message, html, includes } = readContent(text);
  const about = { key, name, id: mdtId, channel, classification };
  const [context, contents] = await Promise.all([
    renderContext({ contact, account, message: about }, ports),
    readIncludeContents(ports.postgres, account.number, includes),
  ]);
  const { timezone, currency } = account.settings;
  const plain = message.content["text/plain"];
  const json = message.content["application/json"];
  return {
    ...{ channel, timezone, currency, context },
    headers: headersOf(message.headers),
    ...(html !== undefined && { html }),
    ...(plain !== undefined && { text: plain }),
    ...(json !== undefined && { json }),
    includes: Object.fromEntries(contents.map(({ key: include, content }) => [include, content])),
    ...(classification === "promotional" && { unsubscribe: previewLinks(ports.trackingUrl).unsubscribe }),
  };
}

function headersOf(headers: object | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}
