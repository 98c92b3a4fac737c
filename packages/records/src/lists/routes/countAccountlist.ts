import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countMembers, lists } from "../lists.ts";
import { noSuchList } from "./clearAccountlist.ts";

const params = z.strictObject({ id: z.string() });
const query = z.strictObject(afterQuery);
const countAnswer = z.strictObject({ count: z.number().int() });

/** Contacts that are on the list now. Throws 404 `ACCOUNT_LISTS_NOT_FOUND`. */
async function countList(
  listId: string,
  account: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const count = await withSnapshot(postgres, async (session) => {
    const list = await lists.read(session, { account: account.number, key: listId });
    if (list === undefined) throw noSuchList();
    return countMembers(session, account.number, list.id);
  });
  return { status: 200, body: { count } };
}

export function countAccountlist(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountlists/{id}/count",
    operationId: "countAccountlist",
    summary: "Counts the contacts on a list.",
    tags: ["accountlists"],
    answers: { 200: { description: "The count.", schema: countAnswer, example: { count: 412 } } },
    auth: "basic",
    scope: "accountlists:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return countList(id, caller.account, ports);
    },
  });
}
