import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, RoutePorts } from "../../ports.ts";
import { programParams } from "../programView.ts";
import { listStats } from "./handler.ts";
import { query, statsAnswer, statsPageExample } from "./schema.ts";

export function listProgramstats(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}/stats",
    operationId: "listProgramstats",
    summary: "Lists the numbers of a program by message, of automated messages by day.",
    description:
      "Newest first. Counts what was sent on the days in the account's time zone, both included, with all that followed. A message without a send on these days has no row.",
    tags: ["programs"],
    answers: {
      200: { description: "A page of numbers.", schema: statsAnswer, example: statsPageExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "analytics", signal }, ports);
      return listStats({ id, query: given, account: caller.account, signal }, ports);
    },
  });
}
