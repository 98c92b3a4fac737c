import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, RoutePorts } from "../../ports.ts";
import { programParams } from "../programView.ts";
import { readSummary } from "./handler.ts";
import { query, summaryAnswer, summaryExample } from "./schema.ts";

export function getProgramsummary(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}/summary",
    operationId: "getProgramsummary",
    summary: "Returns the numbers of a program's messages together.",
    description:
      "Counts what was sent on the days in the account's time zone, both included, with all that followed. The numbers of the messages add up: a unique open is a contact and a message.",
    tags: ["programs"],
    answers: {
      200: { description: "The summary.", schema: summaryAnswer, example: summaryExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "analytics", signal }, ports);
      return readSummary({ id, query: given, account: caller.account, signal }, ports);
    },
  });
}
