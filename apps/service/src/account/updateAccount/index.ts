import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { documentExample, shownDocument } from "../accountDocument.ts";
import { changeAccount } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function updateAccount(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/account",
    operationId: "updateAccount",
    summary: "Changes the account's settings. Every process knows them within five seconds.",
    description:
      "Members that are absent stay, null is the default, objects go into one another, arrays replace. `accountId` and `limits` are the operator's. Once the account has contacts, `identifiers` are only added to, at the end: no name is removed, moved or given another format. A secret may be written back as it was read, `{set, last4}`: it stays.",
    tags: ["account"],
    answers: { 200: { description: "The account as it is now.", schema: shownDocument, example: documentExample } },
    scope: "account:write",
    body,
    requestExample,
    ifMatch: true,
    handler: ({ body: changes, once, header }) => changeAccount(once, { changes, ifMatch: header("if-match") }, ports),
  });
}
