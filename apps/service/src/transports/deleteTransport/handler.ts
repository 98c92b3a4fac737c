import type { Answer } from "@headwater/http";
import { deleteTransport, lockTransport } from "@headwater/stores/transports";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { unknownTransport, versionOfTransport } from "../transportView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
export function dropTransport(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockTransport(transaction, call.caller.account.number, id);
    if (known === undefined) throw unknownTransport();
    expectVersion(ifMatch, versionOfTransport(known));
    await deleteTransport(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}
