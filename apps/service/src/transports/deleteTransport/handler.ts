import { type Answer, refusal } from "@headwater/http";
import { templatesOfTransport } from "@headwater/stores/templates";
import { deleteTransport, lockTransport } from "@headwater/stores/transports";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { unknownTransport, versionOfTransport } from "../transportView.ts";

/** More are not named; the transport is in use all the same. */
const USERS_NAMED_MAX = 100;

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `TRANSPORT_IN_USE` with its users. */
export function dropTransport(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockTransport(transaction, call.caller.account.number, id);
    if (known === undefined) throw unknownTransport();
    expectVersion(ifMatch, versionOfTransport(known));
    const users = await templatesOfTransport(transaction, known, USERS_NAMED_MAX);
    if (users.length > 0) throw inUse(users);
    await deleteTransport(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

function inUse(users: readonly string[]) {
  const details = users.map((key) => ({
    path: "",
    code: "not_allowed",
    message: `The automation template ${key} uses it.`,
  }));
  return refusal("TRANSPORT_IN_USE", "Templates use this transport.", { details });
}
