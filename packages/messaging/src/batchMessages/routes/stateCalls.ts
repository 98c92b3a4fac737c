import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { RoutePorts } from "../../ports.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { notNow } from "../callRefused.ts";
import { cancelJobOf, cancelMessage } from "../cancelMessage.ts";
import { checkedAudience } from "../messageAudience.ts";
import { type LockedMessage, lockMessageAndJob } from "../messageOfJob.ts";
import type { StatePorts } from "../messagePorts.ts";
import { freeTriedSends, holdMessageSends } from "../messageSends.ts";
import { messageParams, stateExample, stateShape, versionOfMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { resumeMessage, setMessageStatus, unscheduleMessage } from "../startMessages.ts";
import { readMessageSettings } from "../storedMessage.ts";
import { type BatchMessageStatus, evaluateCall } from "../transitions.ts";

interface StateCall {
  readonly id: string;
  readonly call: "pause" | "resume" | "cancel" | "unschedule";
  readonly ifMatch: string | undefined;
}

/**
 * Makes a call that changes a message's state, or finds it done. @param run returns the new state.
 * Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT` or `INVALID_STATE_TRANSITION`.
 */
function callOnMessage(
  once: OnceCall,
  { id, call, ifMatch }: StateCall,
  {
    postgres,
    clock,
    run,
  }: Pick<RoutePorts, "clock" | "postgres"> & {
    readonly run: (transaction: Transaction, locked: LockedMessage) => Promise<BatchMessageStatus>;
  },
): Promise<Answer> {
  return retryOnConflict(() =>
    runOnce(postgres, once, async (transaction) => {
      const account = once.caller.account.number;
      await refuseChild(transaction, { account, id, call, nowMs: clock.nowMs() });
      const locked = await lockMessageAndJob(transaction, account, id);
      expectVersion(ifMatch, versionOfMessage(locked.message));
      const result = evaluateCall(locked.message.status, call);
      if (result.kind === "refused") throw notNow(call, result);
      const status = result.kind === "holds" ? locked.message.status : await run(transaction, locked);
      const body = { success: true, id, status };
      const headers = { ETag: etagOf(versionOfMessage({ ...locked.message, status })) };
      return { answer: { status: 200, body, headers }, kept: body };
    }),
  );
}

type Call = StateCall["call"];

const summaries: Readonly<Record<Call, string>> = {
  pause: "Pauses a message. Nothing that was not begun is sent before it goes on.",
  resume: "Lets a paused message go on. Its audience is taken anew, and nobody gets it twice.",
  cancel: "Cancels a message and its job. What was sent stays sent.",
  unschedule: "Makes a scheduled message a draft again.",
};
const targets: Readonly<Record<Call, BatchMessageStatus>> = {
  pause: "paused",
  resume: "processing",
  cancel: "canceled",
  unschedule: "draft",
};

/** Returns the route of a call that changes a message's state. */
export function stateCall(call: Call, ports: StatePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: `/v2/batchmessages/{id}/${call}`,
    operationId: `${call}Batchmessage`,
    summary: summaries[call],
    description: "A message in the wanted state stays as it is.",
    tags: ["batchmessages"],
    answers: {
      200: {
        description: "The message has the state.",
        schema: stateShape,
        example: { ...stateExample, status: targets[call] },
      },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION with `from` and `allowed`, or VERSION_CONFLICT" },
    },
    scope: "batchmessages:write",
    dryRun: { class: "rolledBack", starts: () => (call === "resume" ? "unknown" : 0) },
    target: "id",
    params: messageParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) =>
      handlers[call](once, { id, call, ifMatch: header("if-match") }, ports),
  });
}

const handlers: Readonly<Record<Call, (once: OnceCall, call: StateCall, ports: StatePorts) => Promise<Answer>>> = {
  pause: (once, call, { postgres, clock }) =>
    callOnMessage(once, call, {
      postgres,
      clock,
      run: (transaction, { message }) => pause(transaction, message, clock.nowMs()),
    }),
  resume: resumeOne,
  cancel: (once, call, { postgres, clock }) =>
    callOnMessage(once, call, {
      postgres,
      clock,
      run: (transaction, locked) => cancelMessage(transaction, locked, clock.nowMs()),
    }),
  unschedule: (once, call, { postgres, clock }) =>
    callOnMessage(once, call, {
      postgres,
      clock,
      run: (transaction, locked) => unschedule(transaction, locked, clock.nowMs()),
    }),
};

async function pause(transaction: Transaction, message: LockedMessage["message"], nowMs: number): Promise<"paused"> {
  await holdMessageSends(transaction, message);
  await setMessageStatus(transaction, { account: message.account, id: message.id, status: "paused" }, nowMs);
  return "paused";
}

/** The audience is read as it is defined now, before anything is locked. */
async function resumeOne(once: OnceCall, call: StateCall, ports: StatePorts): Promise<Answer> {
  const { account } = once.caller;
  const found = await readBatchMessage(ports.postgres, account.number, call.id);
  const node = found?.status === "paused" ? await checkedAudience(found, account, ports) : undefined;
  const run = async (transaction: Transaction, { message, job }: LockedMessage) => {
    if (node === undefined) return message.status;
    await freeTriedSends(transaction, message);
    await resumeMessage(transaction, { ...message, node: JSON.stringify(node) }, ports.clock.nowMs());
    // The job checks now and then; this makes it check at once.
    if (job !== undefined) await ports.queue.giveBack(transaction, job, 0);
    return "processing" as const;
  };
  return callOnMessage(once, call, { ...ports, run });
}

async function unschedule(transaction: Transaction, { message, job }: LockedMessage, nowMs: number): Promise<"draft"> {
  await cancelJobOf(transaction, job, nowMs);
  const { account, id } = message;
  await unscheduleMessage(transaction, { account, id, transportId: readMessageSettings(message).transportID }, nowMs);
  return "draft";
}
