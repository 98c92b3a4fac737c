import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RenderPorts } from "../../messages/renderStored.ts";
import { renderMessageFor } from "./handler.ts";
import { params, query, renderedExample, renderedShape } from "./schema.ts";

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
