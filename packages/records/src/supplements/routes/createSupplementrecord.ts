import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { recordBody, recordReadOnly, recordWarnings, savedRecordAnswer, savedRecordExample } from "../recordShape.ts";
import { createOne } from "../recordWrites.ts";
import { TABLE_UNKNOWN, tableParams } from "../tableShape.ts";

export function createSupplementrecord(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/supplements/{key}/records",
    operationId: "createSupplementrecord",
    summary: "Creates a record in a table.",
    description:
      "Fields are free-form; indexed fields must have the type of their index. The header `Headwater-Receipt` can be passed to reads as `after`.",
    tags: ["supplements"],
    answers: {
      201: { description: "The record was created.", schema: savedRecordAnswer, example: savedRecordExample },
      404: { description: `${TABLE_UNKNOWN.description} CONTACTS_CONTACT_NOT_FOUND: no contact has its cID or email.` },
      422: {
        description:
          "ID_MUST_BE_UNIQUE: a record with this id already exists. ATTRIBUTE_TYPE_MISMATCH, VALIDATION_ERROR.",
      },
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    params: tableParams,
    body: recordBody,
    readOnlyNames: recordReadOnly,
    warnsOf: recordWarnings,
    requestExample: { id: "car-1", email: "ada@example.com", model: "A", year: 2019 },
    handler: ({ params: { key }, body: fields, once }) =>
      createOne(once, { supplement: key, id: fields.id, fields }, ports),
  });
}
