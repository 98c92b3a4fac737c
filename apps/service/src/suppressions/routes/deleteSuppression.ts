import { type Answer, type Route, refusal } from "@headwater/http";
import * as suppressions from "@headwater/stores/suppressions";
import { z } from "zod";
import { successExample, successShape } from "../../answers/success.ts";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { storableText } from "../../paging/query.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";

export function deleteSuppression(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/suppressions/{id}",
    operationId: "deleteSuppression",
    summary: "Lifts a suppression.",
    tags: ["suppressions"],
    answers: {
      200: { description: "The suppression is lifted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no suppression has this id." },
    },
    scope: "suppressions:write",
    target: "id",
    params: z.strictObject({ id: storableText(1_024) }),
    handler: ({ params: { id }, once }) => deleteSuppressionOnce(once, id, ports),
  });
}

/** Throws 404 `RECORD_NOT_FOUND`. */
function deleteSuppressionOnce(
  call: OnceCall,
  id: string,
  { postgres }: Pick<WritePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const isDeleted = await suppressions.deleteSuppression(transaction, call.caller.account.number, id);
    if (!isDeleted) throw refusal("RECORD_NOT_FOUND", "No suppression has this id.");
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}
