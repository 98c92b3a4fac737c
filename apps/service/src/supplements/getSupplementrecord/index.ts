import { defineRoute, type Route } from "@headwater/http";
import { waitForState } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { RECORD_UNKNOWN, recordAnswer, recordExample, recordParams } from "../recordShape.ts";
import { readOneRecord } from "./handler.ts";
import { query } from "./schema.ts";

export function getSupplementrecord(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements/{key}/records/{id}",
    operationId: "getSupplementrecord",
    summary: "Returns a record of a table.",
    description: "A record of a contact object carries the `cID` of its current contact.",
    tags: ["supplements"],
    answers: {
      200: { description: "The record.", schema: recordAnswer.partial(), example: recordExample },
      404: RECORD_UNKNOWN,
    },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    params: recordParams,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, query, caller } = call;
      return readOneRecord({ ...params, fields: query.fields }, caller.account, ports);
    },
  });
}
