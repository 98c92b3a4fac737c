import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { RoutePorts } from "../../ports.ts";
import { listContactsOf } from "./handler.ts";
import { contactsAnswer, contactsExample, query, servedByClickHouse } from "./schema.ts";

export function listContacts(ports: RoutePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts",
    operationId: "listContacts",
    summary: "Contacts in the order in which they were created.",
    description:
      "Searched by `attributes[key]`, `list`, `lastModified[…]`, and counted by `return_count`, the answer comes from ClickHouse and has `asOf`; else it is what is stored now. All filters must hold.",
    tags: ["contacts"],
    answers: {
      200: { description: "A page of contacts.", schema: contactsAnswer, example: contactsExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND, RECORD_NOT_FOUND: there is no such list or saved audience." },
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
