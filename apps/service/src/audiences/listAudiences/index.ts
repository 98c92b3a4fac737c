import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listAudiencesOf } from "./handler.ts";
import { audiencesAnswer, audiencesExample, query } from "./schema.ts";

export function listAudiences(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/audiences",
    operationId: "listAudiences",
    summary: "Lists saved audiences in order of creation.",
    description:
      "A page holds at most 4 MiB of criteria; a larger page ends early and continues at `next_cursor`. Without criteria (`fields=key,name`) pages are always full.",
    tags: ["audiences"],
    answers: { 200: { description: "A page of audiences.", schema: audiencesAnswer, example: audiencesExample } },
    auth: "basic",
    scope: "audiences:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listAudiencesOf(given, caller.account, ports);
    },
  });
}
