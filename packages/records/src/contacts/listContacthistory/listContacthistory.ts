import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { listHistory } from "./handler.ts";
import { historyAnswer, historyExample, params, query } from "./schema.ts";

export function listContacthistory(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}/history",
    operationId: "listContacthistory",
    summary: "Lists the changes of a contact with their time and source record, newest first.",
    description:
      "`by.id` of a `record` is its position in the log, `topic/partition/offset/index`: the history does not store record ids. `redrive` names the record that was first rejected or parked, `merge` and `split` the record that requested it. Of a merge the changes are what it overwrote of this contact, and `contacts.<cID>` is what the other one was. Members the record itself wrote stand beside them. Values of an attribute whose definition was deleted are left out.",
    tags: ["contacts"],
    answers: { 200: { description: "A page of changes.", schema: historyAnswer, example: historyExample } },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { primary_key }, query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "analytics", signal }, ports);
      return listHistory(primary_key, { query: given, account: caller.account }, ports);
    },
  });
}
