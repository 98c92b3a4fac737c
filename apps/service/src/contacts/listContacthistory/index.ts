import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { RoutePorts } from "../../ports.ts";
import { listHistory } from "./handler.ts";
import { historyAnswer, historyExample, params, query } from "./schema.ts";

export function listContacthistory(ports: RoutePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}/history",
    operationId: "listContacthistory",
    summary: "What changed of a contact, when and by which record, the newest first.",
    description:
      "`by.id` of a `record` is its place in the log, `topic/partition/offset/place`: ids of records are not kept with the history. `redrive` names the record that was refused or parked at first, `merge` and `split` the one that asked for it. Of a merge the changes are what it overwrote of this contact, and `contacts.<cID>` is what the other one was. Members the record itself wrote stand beside them. Values of an attribute whose definition was deleted are left out.",
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
