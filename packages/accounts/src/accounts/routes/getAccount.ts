import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { documentExample, documentView, showAccount } from "../accountDocument.ts";
import { readAccountDocument } from "../accounts.ts";

const query = z.strictObject(afterQuery);

/** Returns the account as it is stored now, which the key's cache may not know yet. */
async function readAccount(
  { number }: Pick<Account, "number">,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const { account, version } = await readAccountDocument(postgres, number);
  return { status: 200, body: showAccount(account), headers: { ETag: etagOf(String(version)) } };
}

export function getAccount(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Returns the account's settings. Secrets show only their last four characters.",
    tags: ["account"],
    answers: { 200: { description: "The account.", schema: documentView, example: documentExample } },
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
