import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { z } from "zod";
import {
  RECORD_UNKNOWN,
  recordBody,
  recordParams,
  recordReadOnly,
  recordWarnings,
  savedRecordAnswer,
  savedRecordExample,
} from "../recordShape.ts";
import { updateOne } from "../recordWrites.ts";

/** An `id` that is given is that of the path. */
const body = recordBody.extend({ id: z.unknown().optional() });

export function updateSupplementrecord(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/supplements/{key}/records/{id}",
    operationId: "updateSupplementrecord",
    summary: "Updates fields of a record.",
    description: "Absent fields stay unchanged, `null` removes a field. `id` cannot be changed.",
    tags: ["supplements"],
    answers: {
      200: { description: "The updated record.", schema: savedRecordAnswer, example: savedRecordExample },
      404: RECORD_UNKNOWN,
      422: { description: "ATTRIBUTE_TYPE_MISMATCH: a field does not have the type of its index. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    params: recordParams,
    body,
    readOnlyNames: recordReadOnly,
    warnsOf: recordWarnings,
    requestExample: { year: 2020, colour: null },
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { key, id }, body: fields, once, header }) =>
      updateOne(once, { supplement: key, id, fields, ifMatch: header("if-match") }, ports),
  });
}
