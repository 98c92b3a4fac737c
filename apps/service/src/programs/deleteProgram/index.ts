import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { programParams } from "../programView.ts";
import { dropProgram } from "./handler.ts";

export function deleteProgram(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/programs/{id}",
    operationId: "deleteProgram",
    summary: "Deletes a program. The numbers of its messages stay.",
    tags: ["programs"],
    answers: {
      200: { description: "The program is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    scope: "programs:write",
    target: "id",
    params: programParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => dropProgram(once, { id, ifMatch: header("if-match") }, ports),
  });
}
