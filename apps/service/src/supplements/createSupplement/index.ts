import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { savedAnswer, savedExample } from "../tableShape.ts";
import { createTable } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function createSupplement(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/supplements",
    operationId: "createSupplement",
    summary: "Creates a table for records of any kind.",
    description:
      "Indexed fields have a type; records can be filtered and sorted by them. With `contactObject` each record carries the `email` or `cID` of its contact; with `autogenerateIDs` the table generates record ids.",
    tags: ["supplements"],
    answers: {
      201: { description: "The table was created.", schema: savedAnswer, example: savedExample },
      422: { description: "KEY_MUST_BE_UNIQUE: a table with this key already exists. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    target: "key",
    body,
    requestExample,
    handler: ({ body: request, once }) => createTable(once, request, ports),
  });
}
