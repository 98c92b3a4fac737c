import { type BatchMessageStatus, judgeCall } from "@headwater/domain/batchMessage";
import type { Answer } from "@headwater/http";
import { retryOnConflict } from "@headwater/projection";
import type { Transaction } from "@headwater/stores/postgres";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { notNow } from "../callRefused.ts";
import { type LockedMessage, lockMessageAndJob } from "../messageOfJob.ts";
import { versionOfMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";

export interface StateCall {
  readonly id: string;
  readonly call: "pause" | "resume" | "cancel" | "unschedule";
  readonly ifMatch: string | undefined;
}

/**
 * Makes a call that changes a message's state, or finds it done. @param run returns the new state.
 * Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT` or `INVALID_STATE_TRANSITION`.
 */
export function callOnMessage(
  once: OnceCall,
  { id, call, ifMatch }: StateCall,
  {
    postgres,
    clock,
    run,
  }: Pick<ServicePorts, "clock" | "postgres"> & {
    readonly run: (transaction: Transaction, locked: LockedMessage) => Promise<BatchMessageStatus>;
  },
): Promise<Answer> {
  return retryOnConflict(() =>
    runOnce(postgres, once, async (transaction) => {
      const account = once.caller.account.number;
      await refuseChild(transaction, { account, id, call, nowMs: clock.nowMs() });
      const locked = await lockMessageAndJob(transaction, account, id);
      expectVersion(ifMatch, versionOfMessage(locked.message));
      const verdict = judgeCall(locked.message.status, call);
      if (verdict.kind === "refused") throw notNow(call, verdict);
      const status = verdict.kind === "holds" ? locked.message.status : await run(transaction, locked);
      const body = { success: true, id, status };
      const headers = { ETag: etagOf(versionOfMessage({ ...locked.message, status })) };
      return { answer: { status: 200, body, headers }, kept: body };
    }),
  );
}
