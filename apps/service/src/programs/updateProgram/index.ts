import type { Route } from "@headwater/http";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { programParams, programWritten, writtenExample } from "../programView.ts";
import { changeProgram } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function updateProgram(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/programs/{id}",
    operationId: "updateProgram",
    summary: "Updates a program. Absent members stay unchanged, `messages` and `orchestrations` are given as a whole.",
    tags: ["programs"],
    answers: {
      200: { description: "The updated program.", schema: programWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    scope: "programs:write",
    target: "id",
    params: programParams,
    body,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      changeProgram(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
