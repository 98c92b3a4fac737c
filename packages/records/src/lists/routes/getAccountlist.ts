import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { listExample, listParams, listShape } from "../listShape.ts";
import { findList, versionOfList } from "../saveList.ts";

export function getAccountlist(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountlists/{id}",
    operationId: "getAccountlist",
    summary: "Returns a list.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The list.", schema: listShape, example: listExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
    },
    auth: "basic",
    scope: "accountlists:read",
    rateClass: "read",
    params: listParams,
    query: z.strictObject(afterQuery),
    handler: async ({ params, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { id, name, enhanced } = await findList(ports.postgres, caller.account, params.id);
      const headers = { ETag: etagOf(versionOfList({ name, enhanced })) };
      return { status: 200, body: { id, name, enhanced }, headers };
    },
  });
}
