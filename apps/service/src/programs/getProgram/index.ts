import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { programExample, programParams, programShape } from "../programView.ts";
import { readOneProgram } from "./handler.ts";
import { query } from "./schema.ts";

export function getProgram(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}",
    operationId: "getProgram",
    summary: "Returns a program by its id.",
    tags: ["programs"],
    answers: {
      200: { description: "The program.", schema: programShape.partial(), example: programExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneProgram({ id, fields }, caller.account, ports);
    },
  });
}
