import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import { PAGE_BYTES_NOTE } from "../../paging/pageBytes.ts";
import type { AfterPorts } from "../../ports.ts";
import { type ListContactsPorts, listContactsOf } from "./handler.ts";
import { contactsAnswer, contactsExample, query, servedByClickHouse } from "./schema.ts";

export function listContacts(ports: AfterPorts & ListContactsPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts",
    operationId: "listContacts",
    summary: "Lists contacts in order of creation.",
    description: `With \`attributes[key]\`, \`list\`, \`audience-key\`, \`lastModified[…]\` or \`return_count\`, the response comes from ClickHouse and carries \`asOf\`; otherwise it reflects the current state. All filters must match. ${PAGE_BYTES_NOTE} So does a page whose contacts are on more than 20,000 lists together.`,
    tags: ["contacts"],
    answers: {
      200: { description: "A page of contacts.", schema: contactsAnswer, example: contactsExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND, RECORD_NOT_FOUND: the list or saved audience does not exist." },
    },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      const store = servedByClickHouse(given) ? "analytics" : "state";
      await waitForAfter({ token: given.after, caller, store, signal }, ports);
      return listContactsOf(given, { account: caller.account, signal }, ports);
    },
  });
}
