import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { newDefinitionBody, newDefinitionExample, savedExample, savedShape } from "../definitionShape.ts";
import { declareAttribute } from "../saveDefinition.ts";

export function createAttribute(ports: RoutePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountcontactattributes",
    operationId: "createAttribute",
    summary: "Declares an attribute: also one that came up with a write.",
    description:
      "From then on values are checked and read as the type, at `/api` and here. `notCast` counts the contacts that have a value which cannot be read so: it reads as missing.",
    tags: ["accountcontactattributes"],
    answers: { 201: { description: "The attribute is declared.", schema: savedShape, example: savedExample } },
    scope: "accountcontactattributes:write",
    body: newDefinitionBody,
    requestExample: newDefinitionExample,
    handler: ({ body, once }) => declareAttribute(once, body, ports),
  });
}
