import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
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
    dryRun: "rolledBack",
    target: "key",
    params: recordParams,
    ifMatch: true,
    handler: ({ params: { key, id }, once, header }) =>
      deleteOne(once, { supplement: key, id, ifMatch: header("if-match") }, ports),
  });
}
