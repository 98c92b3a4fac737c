import type { Route } from "@headwater/http";
import { keyParams } from "../../attributes/definitionShape.ts";
import { forgetAttribute } from "../../attributes/saveDefinition.ts";
import type { RoutePorts } from "../../ports.ts";
import { successExample, successShape } from "../../views/success.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";

export function deleteAttribute(ports: RoutePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "deleteAttribute",
    summary: "Forgets a definition. Values that contacts have stay, and are read as they came.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "There is no such definition any more.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: there is no attribute with this key." },
    },
    scope: "accountcontactattributes:write",
    params: keyParams,
    handler: ({ params: { key }, once }) => forgetAttribute(once, key, ports),
  });
}
