import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { definitionBody, keyParams, savedShape } from "../definitionShape.ts";
import { updateDefinition } from "../saveDefinition.ts";

export function updateAttribute(
  ports: Pick<RoutePorts, "attributeRules" | "clickHouse" | "clock" | "postgres">,
): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "updateAttribute",
    summary: "Updates a definition. A definition of type `auto` can be given a type.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The updated definition.", schema: savedShape, example: { success: true, key: "plan" } },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    scope: "accountcontactattributes:write",
    target: "key",
    params: keyParams,
    body: definitionBody,
    requestExample: { name: "Plan", index: true },
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { key }, body, once, header }) =>
      updateDefinition(once, { key, body, ifMatch: header("if-match") }, ports),
  });
}
