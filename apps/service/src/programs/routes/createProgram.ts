import type { Answer, Route } from "@headwater/http";
import { newProgramId } from "@headwater/kernel";
import { insertProgram } from "@headwater/stores/programs";
import { z } from "zod";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import {
  programExample,
  programMembers,
  programWritten,
  settleProgram,
  versionOfProgram,
  writtenExample,
} from "../programView.ts";

const body = z.object(programMembers);
type NewProgram = z.output<typeof body>;

const { name, messages, orchestrations } = programExample;
const requestExample = { name, messages, orchestrations };

/** Throws 422 `VALIDATION_ERROR` for a program that names nothing. */
function makeProgram(
  call: OnceCall,
  { name, messages = null, orchestrations = null }: NewProgram,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const members = settleProgram(name, { messages, orchestrations });
  return runOnce(postgres, call, async (transaction) => {
    const program = { account: call.caller.account.number, id: newProgramId(), ...members };
    await insertProgram(transaction, program, clock.nowMs());
    const body = { success: true, id: program.id };
    return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfProgram(members)) } }, kept: body };
  });
}

export function createProgram(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/programs",
    operationId: "createProgram",
    summary: "Creates a program: messages and orchestrations whose numbers are reported together.",
    description: "At least one id, key or tag is required. Messages need not exist yet.",
    tags: ["programs"],
    answers: { 201: { description: "The program was created.", schema: programWritten, example: writtenExample } },
    scope: "programs:write",
    target: "id",
    body,
    requestExample,
    handler: ({ body: program, once }) => makeProgram(once, program, ports),
  });
}
