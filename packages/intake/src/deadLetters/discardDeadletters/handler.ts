import { noteWrite } from "@headwater/api/accountLog/noteWrite";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { DiscardRequest } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { discardDeadLetters } from "../deadLetters.ts";
import { refuseWrongStates, toFilters } from "../selection.ts";

/**
 * Letters are closed a thousand a transaction, each with who did it and why in its own history; the entry in the account's log comes
 * with the answer.
 * @param signal a client that goes away ends it between two thousands; what is closed stays closed.
 */
export async function discardSelection(
  { select, reason }: DiscardRequest,
  once: OnceCall,
  { postgres, clock, signal }: Pick<RoutePorts, "postgres" | "clock"> & { readonly signal: AbortSignal },
): Promise<Answer> {
  const { account, id: by } = once.caller;
  const filters = toFilters(select, account);
  const discard = async () => {
    await refuseWrongStates(postgres, filters, "discarded");
    const discarded = await discardDeadLetters(postgres, filters, { reason, by, at: clock.nowMs(), signal });
    return { status: 200, body: { discarded } };
  };
  if (once.key === undefined) {
    const answer = await discard();
    await noteWrite(postgres, once, answer);
    return answer;
  }
  return runOnce(postgres, once, async () => {
    const answer = await discard();
    return { answer, kept: answer.body };
  });
}
