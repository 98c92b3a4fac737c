import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { documentExample, shownDocument } from "../accountDocument.ts";
import { changeAccount } from "./handler.ts";
import { body, requestExample, warnsBy } from "./schema.ts";

export function updateAccount(ports: Pick<ServicePorts, "postgres" | "renders" | "sealer">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/account",
    operationId: "updateAccount",
    summary: "Updates the account's settings. Every process applies them within five seconds.",
    description:
      "Absent members stay unchanged, null restores the default, objects are merged, arrays are replaced. Only an operator can change `accountId` and `limits`. Once the account has contacts, `identifiers` can only be appended to: no name can be removed, moved or given another format. A secret may be sent back as it was read, `{set, last4}`; it stays unchanged. `storage` holds saved storages by the `savedKey` that exports and imports name; an entry with another `type` replaces the stored one. `messaging.linkParameters` holds up to 50 query parameters by name, each a Liquid text, that tracked links get unless they have them. `messaging.preferenceLists` names up to 20 lists that the unsubscribe page offers.",
    tags: ["account"],
    answers: { 200: { description: "The updated account.", schema: shownDocument, example: documentExample } },
    scope: "account:write",
    category: "System",
    body,
    warnsBy,
    requestExample,
    ifMatch: true,
    handler: ({ body: changes, once, header }) => changeAccount(once, { changes, ifMatch: header("if-match") }, ports),
  });
}
