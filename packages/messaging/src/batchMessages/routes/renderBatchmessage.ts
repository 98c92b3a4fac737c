import { waitForAfter } from "@headwater/api/consistency/after";
import { storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, readExperimentState } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { readView } from "@headwater/records/contacts/routes/getContact";
import { z } from "zod";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type RenderPorts, renderStored } from "../../messages/renderStored.ts";
import { query, type RenderQuery, renderedExample, renderedShape } from "../../templates/routes/renderTemplate.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { chosenContent, expectBothNames } from "../experiments.ts";
import { readFrozenMessages } from "../frozenMessages.ts";
import { unknownMessage } from "../messageView.ts";
import { readMessageContent, readMessageSettings } from "../storedMessage.ts";

const params = z.strictObject({ id: storableText(1_024), contactID: storableText(1_024) });

const withoutContent = { path: "/message", code: "required", message: "The message has no content yet." };

export function renderBatchmessage(ports: AfterPorts & RenderPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}/renderedwip/{contactID}",
    operationId: "renderBatchmessage",
    summary: "Renders a batch message, or a variant of it, for a contact.",
    description:
      "The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The message.", schema: renderedShape, example: renderedExample },
      404: { description: "RECORD_NOT_FOUND or CONTACTS_CONTACT_NOT_FOUND" },
      422: { description: "VALIDATION_ERROR" },
    },
    auth: "basic",
    scope: "batchmessages:read",
    alsoScope: "contacts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id, contactID: contact }, query: { after, ...named }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return renderMessageFor({ id, contact, account: caller.account, ...named }, ports);
    },
  });
}

interface RenderCall extends Pick<RenderQuery, "experiment" | "variant"> {
  readonly id: string;
  /** Any form of a contact's primary key. */
  readonly contact: string;
  readonly account: Account;
}

/**
 * Renders a message for a contact, in the variant that is named or that the contact gets. Throws 404 for an unknown message or contact, 400 for an unknown variant, 422
 * `VALIDATION_ERROR` for a message without content and with `render_failed`.
 */
async function renderMessageFor({ id, contact, account, ...named }: RenderCall, ports: RenderPorts): Promise<Answer> {
  const message = await readBatchMessage(ports.postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  expectBothNames(named);
  if (message.content === null) throw invalidContent([withoutContent]);
  const settings = readMessageSettings(message);
  const { tests } = settings;
  const view = await readView(contact, account, ports);
  const [begun] = await readFrozenMessages(ports.postgres, account.number, [id]);
  const learnt = readExperimentState(begun?.experiment ?? null);
  const contents = { ...readMessageContent(message.content), tests };
  const { content, experiments } = chosenContent(contents, named, { message: id, contact: view.number, learnt });
  const { channel } = message;
  const { classification, name } = settings;
  const vanityDomainKey = settings.vanityDomainKey ?? undefined;
  const about = { id, name, channel, classification };
  const stored = { content, channel, classification, about, contact: view, account, vanityDomainKey };
  const rendered = await renderStored(stored, ports);
  return { status: 200, body: { ...rendered, experiments } };
}
