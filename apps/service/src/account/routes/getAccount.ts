import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { readAccountDocument } from "@headwater/stores/accounts";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { afterQuery } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { documentExample, showAccount, shownDocument } from "../accountDocument.ts";

const query = z.strictObject(afterQuery);

/** Returns the account as it is stored now, which the key's cache may not know yet. */
async function readAccount(
  { number }: Pick<Account, "number">,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const { account, version } = await readAccountDocument(postgres, number);
  return { status: 200, body: showAccount(account), headers: { ETag: etagOf(String(version)) } };
}

export function getAccount(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Returns the account's settings. Secrets show only their last four characters.",
    tags: ["account"],
    answers: { 200: { description: "The account.", schema: shownDocument, example: documentExample } },
    auth: "basic",
    scope: "account:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readAccount(caller.account, ports);
    },
  });
}
