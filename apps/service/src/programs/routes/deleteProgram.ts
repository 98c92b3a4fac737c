import type { Answer, Route } from "@headwater/http";
import * as programs from "@headwater/stores/programs";
import { successExample, successShape } from "../../answers/success.ts";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { programParams, unknownProgram, versionOfProgram } from "../programView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
function dropProgram(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const known = await programs.lockProgram(transaction, call.caller.account.number, id);
    if (known === undefined) throw unknownProgram();
    expectVersion(ifMatch, versionOfProgram(known));
    await programs.deleteProgram(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

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
