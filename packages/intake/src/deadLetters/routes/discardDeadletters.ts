import { noteWrite } from "@headwater/api/accountLog/noteWrite";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type DiscardRequest, discardRequest } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { discardDeadLetters } from "../deadLetters.ts";
import { refuseWrongStates, toFilters } from "../selection.ts";

const discardAnswer = z.strictObject({ discarded: z.number().int() });
const requestExample = {
  select: { ids: ["VbZsDdSkFIHQqU5ESHo7:3:0"] },
  reason: "sent by a test, not meant for this account",
};

export function discardDeadletters(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/deadletters/discard",
    operationId: "discardDeadletters",
    summary: "Discards a selection of rejected records without redriving them, with a reason.",
    tags: ["deadletters"],
    answers: {
      200: { description: "The number of discarded records.", schema: discardAnswer, example: { discarded: 1 } },
      404: { description: "RECORD_NOT_FOUND: one of `ids` is not a dead letter of the account." },
    },
    requestExample,
    scope: "deadletters:write",
    dryRun: "rolledBack",
    body: discardRequest,
    handler: ({ body: request, once, signal }) => discardSelection(request, once, { ...ports, signal }),
  });
}

/**
 * Dead letters are closed a thousand a transaction, each with who did it and why in its own history; the entry in the account's log comes
 * with the answer.
 * @param signal a client that goes away ends it between two thousands; what is closed stays closed.
 */
async function discardSelection(
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
