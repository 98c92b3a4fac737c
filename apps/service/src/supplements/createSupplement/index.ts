import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { savedAnswer, savedExample } from "../tableShape.ts";
import { createTable } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function createSupplement(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/supplements",
    operationId: "createSupplement",
    summary: "Makes a table for records of any kind.",
    description:
      "Fields that are indexed have a type, and records are filtered and sorted by them. With `contactObject` each record carries the `email` or `cID` of a contact and belongs to it; with `autogenerateIDs` the table makes the ids of its records.",
    tags: ["supplements"],
    answers: {
      201: { description: "The table is made.", schema: savedAnswer, example: savedExample },
      422: { description: "KEY_MUST_BE_UNIQUE: there is a table with this key. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    body,
    requestExample,
    handler: ({ body: request, once }) => createTable(once, request, ports),
  });
}
