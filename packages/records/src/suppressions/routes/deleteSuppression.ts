import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import * as suppressions from "../suppressions.ts";

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
    dryRun: "rolledBack",
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
