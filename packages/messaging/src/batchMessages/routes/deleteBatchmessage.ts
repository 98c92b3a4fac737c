import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import type { Answer, Route } from "@headwater/http";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { setIncludesUsed } from "../../includes/includeUses.ts";
import type { RoutePorts } from "../../ports.ts";
import { deleteBatchMessage } from "../batchMessages.ts";
import { notNow } from "../callRefused.ts";
import { cancelJobOf } from "../cancelMessage.ts";
import { lockMessageAndJob } from "../messageOfJob.ts";
import { messageParams, versionOfMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { evaluateCall } from "../transitions.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT` or `INVALID_STATE_TRANSITION`. */
function deleteMessage(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres, clock }: Pick<RoutePorts, "clock" | "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return retryOnConflict(() =>
    runOnce(postgres, call, async (transaction) => {
      await refuseChild(transaction, { account, id, call: "delete", nowMs: clock.nowMs() });
      const { message: known, job } = await lockMessageAndJob(transaction, account, id);
      expectVersion(ifMatch, versionOfMessage(known));
      const result = evaluateCall(known.status, "delete");
      if (result.kind === "refused") throw notNow("delete", result);
      await cancelJobOf(transaction, job, clock.nowMs());
      const user = { account, kind: "batchmessage", userId: id } as const;
      await setIncludesUsed(transaction, user, []);
      await setAudiencesUsedBy(transaction, user, []);
      await deleteBatchMessage(transaction, known);
      const body = { success: true };
      return { answer: { status: 200, body }, kept: body };
    }),
  );
}

export function deleteBatchmessage(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/batchmessages/{id}",
    operationId: "deleteBatchmessage",
    summary: "Deletes a batch message that is a draft or scheduled.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The message is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION with `from` and `allowed`, or VERSION_CONFLICT" },
    },
    scope: "batchmessages:write",
    dryRun: "rolledBack",
    target: "id",
    params: messageParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => deleteMessage(once, { id, ifMatch: header("if-match") }, ports),
  });
}
