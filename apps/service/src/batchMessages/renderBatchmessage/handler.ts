import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { StoredContent } from "@headwater/messaging";
import { readBatchMessage, type StoredBatchMessage } from "@headwater/stores/batchMessages";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { experimentsOf } from "../experiments.ts";
import { unknownMessage } from "../messageView.ts";
import { readMessageContent, readMessageSettings } from "../storedMessage.ts";
import type { RenderQuery } from "./schema.ts";

export interface RenderCall extends Pick<RenderQuery, "experiment" | "variant"> {
  readonly id: string;
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly account: Account;
}

/**
 * Renders a message, or a variant of it, for a contact. Throws 404 for an unknown message or contact, 422 `VALIDATION_ERROR` for a
 * message without content, an unknown variant, and with `render_failed`.
 */
export async function renderMessageFor(
  { id, contact, account, ...named }: RenderCall,
  ports: RenderPorts,
): Promise<Answer> {
  const message = await readBatchMessage(ports.postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  const settings = readMessageSettings(message);
  const experiments = experimentsOf(settings);
  const content = contentOf(message, named, experiments);
  const { channel } = message;
  const { classification, name } = settings;
  const about = { id, name, channel, classification };
  const rendered = await renderStored({ content, channel, classification, about, contact, account }, ports);
  return { status: 200, body: { ...rendered, experiments } };
}

function contentOf(
  { content }: StoredBatchMessage,
  { experiment, variant }: Pick<RenderQuery, "experiment" | "variant">,
  [enabled]: ReturnType<typeof experimentsOf>,
): StoredContent {
  if ((experiment === undefined) !== (variant === undefined)) throw notTogether();
  if (content === null) throw invalidContent([wrong("/message", "required", "The message has no content yet.")]);
  const { base, variants } = readMessageContent(content);
  if (experiment === undefined || variant === undefined) return base;
  const found = enabled?.name === experiment ? variants[enabled.variants.indexOf(variant)] : undefined;
  if (found !== undefined) return found;
  throw invalidContent([wrong("/variant", "unknown_reference", "No enabled experiment has this variant.")]);
}

function wrong(path: string, code: string, message: string) {
  return { path, code, message };
}

function notTogether() {
  const message = "`experiment` and `variant` are given together.";
  return refusal("BAD_REQUEST", message, { details: [{ path: "/variant", code: "required", message }] });
}
