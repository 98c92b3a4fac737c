import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listProgramsOf } from "./handler.ts";
import { programsAnswer, programsExample, query } from "./schema.ts";

export function listPrograms(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs",
    operationId: "listPrograms",
    summary: "Lists programs in order of creation.",
    tags: ["programs"],
    answers: { 200: { description: "A page of programs.", schema: programsAnswer, example: programsExample } },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listProgramsOf(given, caller.account, ports);
    },
  });
}
