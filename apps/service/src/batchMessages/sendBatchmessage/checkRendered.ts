import type { Account } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import type { StoredContent } from "@headwater/messaging";
import type { StoredTransport } from "@headwater/stores/transports";
import { readShown } from "../../contacts/getContact/handler.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { problemOfSenders } from "../../messages/senderDomain.ts";
import type { StoredMessageContent } from "../storedMessage.ts";

export interface ContentToRender {
  readonly content: StoredMessageContent;
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  readonly about: Readonly<Record<string, unknown>>;
  /** Id of a contact of the audience. */
  readonly contact: string;
  readonly account: Account;
  readonly transport: StoredTransport;
}

/**
 * Renders a message and each of its variants for one contact of the audience.
 * @throws HeadwaterError 422 `VALIDATION_ERROR`: `render_failed`, a missing unsubscribe link, a sender that the transport does not carry.
 */
export async function checkRendered(
  { content: { base, variants }, transport, contact: key, ...shared }: ContentToRender,
  ports: RenderPorts,
): Promise<void> {
  const contact = await readShown(key, shared.account, ports);
  const { requireUnsubscribeLink } = shared.account.settings.messaging;
  for (const content of [base, ...variants]) {
    const { headers, warnings } = await renderStored({ ...shared, contact, content }, ports);
    const problems = [
      ...(requireUnsubscribeLink && warnings.some(({ code }) => code === "no_unsubscribe_link")
        ? [noWayOut(content)]
        : []),
      problemOfSenders(transport, headers.fromEmail === undefined ? [] : [headers.fromEmail]) ?? [],
    ].flat();
    if (problems.length > 0) throw invalidContent(problems);
  }
}

function noWayOut({ message }: StoredContent): ErrorDetail {
  const part = message.content["text/mjml"] === undefined ? "text~1html" : "text~1mjml";
  const text = "A promotional message must hold the link `{{ links.unsubscribe }}`.";
  return { path: `/message/content/${part}`, code: "required", message: text };
}
