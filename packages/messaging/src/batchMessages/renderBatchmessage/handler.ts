import { type Account, readExperimentState } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readShown } from "@headwater/records/contacts/routes/getContact";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { chosenContent, expectBothNames } from "../experiments.ts";
import { readFrozenMessages } from "../frozenMessages.ts";
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
 * Renders a message for a contact, in the variant that is named or that the contact gets. Throws 404 for an unknown message or contact, 400 for an unknown variant, 422
 * `VALIDATION_ERROR` for a message without content and with `render_failed`.
 */
export async function renderMessageFor(
  { id, contact, account, ...named }: RenderCall,
  ports: RenderPorts,
): Promise<Answer> {
  const message = await readBatchMessage(ports.postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  expectBothNames(named);
  if (message.content === null) throw invalidContent([withoutContent]);
  const settings = readMessageSettings(message);
  const { tests } = settings;
  const shown = await readShown(contact, account, ports);
  const [begun] = await readFrozenMessages(ports.postgres, account.number, [id]);
  const learnt = readExperimentState(begun?.experiment ?? null);
  const contents = { ...readMessageContent(message.content), tests };
  const { content, experiments } = chosenContent(contents, named, { message: id, contact: shown.number, learnt });
  const { channel } = message;
  const { classification, name } = settings;
  const vanityDomainKey = settings.vanityDomainKey ?? undefined;
  const about = { id, name, channel, classification };
  const stored = { content, channel, classification, about, contact: shown, account, vanityDomainKey };
  const rendered = await renderStored(stored, ports);
  return { status: 200, body: { ...rendered, experiments } };
}

const withoutContent = { path: "/message", code: "required", message: "The message has no content yet." };
