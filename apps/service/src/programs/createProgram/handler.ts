import type { Answer } from "@headwater/http";
import { newProgramId } from "@headwater/kernel";
import { insertProgram } from "@headwater/stores/programs";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { settleProgram, versionOfProgram } from "../programView.ts";
import type { NewProgram } from "./schema.ts";

/** Throws 422 `VALIDATION_ERROR` for a program that names nothing. */
export function makeProgram(
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
