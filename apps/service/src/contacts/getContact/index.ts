import { defineRoute, type Route } from "@headwater/http";
import { waitForState } from "../../consistency/after.ts";
import type { AfterPorts, RoutePorts } from "../../ports.ts";
import { contactAnswerShape, contactExample, contactParams } from "../contactShape.ts";
import { readContact } from "./handler.ts";
import { query } from "./schema.ts";

export function getContact(ports: AfterPorts & Pick<RoutePorts, "attributeRules" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}",
    operationId: "getContact",
    summary: "Returns a contact by its cID, a primary identifier value or `name:value`.",
    tags: ["contacts"],
    answers: { 200: { description: "The contact.", schema: contactAnswerShape, example: contactExample } },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params: contactParams,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, caller } = call;
      return readContact(params.primary_key, caller.account, ports);
    },
  });
}
