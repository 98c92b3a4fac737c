import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { RECORD_UNKNOWN, recordParams } from "../recordShape.ts";
import { deleteOne } from "../recordWrites.ts";

export function deleteSupplementrecord(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/supplements/{key}/records/{id}",
    operationId: "deleteSupplementrecord",
    summary: "Deletes a record.",
    description: "Late or replayed intake records never resurrect it.",
    tags: ["supplements"],
    answers: {
      200: { description: "The record is deleted.", schema: successShape, example: successExample },
      404: RECORD_UNKNOWN,
    },
    scope: "supplements:write",
    target: "key",
    params: recordParams,
    ifMatch: true,
    handler: ({ params: { key, id }, once, header }) =>
      deleteOne(once, { supplement: key, id, ifMatch: header("if-match") }, ports),
  });
}
