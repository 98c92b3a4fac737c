import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { newDefinitionBody, newDefinitionExample, savedExample, savedShape } from "../definitionShape.ts";
import { createDefinition } from "../saveDefinition.ts";

export function createAttribute(
  ports: Pick<RoutePorts, "attributeRules" | "clickHouse" | "clock" | "postgres">,
): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountcontactattributes",
    operationId: "createAttribute",
    summary: "Defines an attribute, including one that a write created implicitly.",
    description:
      "From then on values are validated and read as this type, at `/api` and here. `notCast` counts the contacts whose value cannot be cast; it reads as missing.",
    tags: ["accountcontactattributes"],
    answers: { 201: { description: "The attribute definition.", schema: savedShape, example: savedExample } },
    scope: "accountcontactattributes:write",
    target: "key",
    body: newDefinitionBody,
    requestExample: newDefinitionExample,
    handler: ({ body, once }) => createDefinition(once, body, ports),
  });
}
