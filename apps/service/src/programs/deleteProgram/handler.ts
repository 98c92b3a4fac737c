import type { Answer } from "@headwater/http";
import { deleteProgram, lockProgram } from "@headwater/stores/programs";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { unknownProgram, versionOfProgram } from "../programView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
export function dropProgram(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockProgram(transaction, call.caller.account.number, id);
    if (known === undefined) throw unknownProgram();
    expectVersion(ifMatch, versionOfProgram(known));
    await deleteProgram(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}
