import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { RenderPorts } from "../../messages/renderStored.ts";
import type { AfterPorts } from "../../ports.ts";
import { renderOne } from "./handler.ts";
import { params, query, renderedExample, renderedShape } from "./schema.ts";

const routes = {
  draft: {
    path: "/v2/automationtemplates/{key}/renderdraft/{contactID}",
    operationId: "renderTemplatedraft",
    summary: "Renders the draft of a template for a contact, without one the published content.",
  },
  published: {
    path: "/v2/automationtemplates/{key}/renderpublished/{contactID}",
    operationId: "renderTemplate",
    summary: "Renders the published content of a template for a contact.",
  },
} as const;

/** @param which the content that is rendered. */
export function renderTemplate(which: keyof typeof routes, ports: AfterPorts & RenderPorts): Route {
  return defineRoute({
    method: "GET",
    ...routes[which],
    description:
      "The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The message.", schema: renderedShape, example: renderedExample },
      404: { description: "RECORD_NOT_FOUND or CONTACTS_CONTACT_NOT_FOUND" },
      422: { description: "TEMPLATE_NOT_PUBLISHED or VALIDATION_ERROR" },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    alsoScope: "contacts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { key, contactID }, query: { after, ...named }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return renderOne({ key, contact: contactID, which, account: caller.account, ...named }, ports);
    },
  });
}
