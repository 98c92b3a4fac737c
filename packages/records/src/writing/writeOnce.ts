import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { withReceipt } from "@headwater/api/receipts";
import type { ReceiptPart } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { FlowKey } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { Origin } from "../contacts/contactIndex.ts";
import type { FoldResult } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import type { StateReads } from "../fold/stateReads.ts";
import { type StateWrite, writeState } from "../writes/writeState.ts";

/** A write of the state by a route. */
export interface RouteWrite<Result extends FoldResult> {
  readonly kind: StateWrite<Result>["kind"];
  /** State that the fold will read, as far as that is known. */
  readonly reads?: StateReads;
  /** It starts no automation. */
  readonly suppressTriggers?: boolean | undefined;
  /** Comes first in the transaction, before the write takes its locks; what it throws is the answer. */
  before?(transaction: Transaction): Promise<void>;
  /** Pure; what it throws is the answer. */
  fold(state: FoldState, origin: Origin): Result;
  /** Writes to the log what goes with it, before the state is committed: the receipt is followed to the end of both. */
  log?(result: Result): Promise<readonly ReceiptPart[]>;
  /** Reads what is stored now, on the transaction's own connection: where writes hold all of them, each would wait for a second one. */
  answer(result: Result, transaction: Transaction): Answer | Promise<Answer>;
  /** Returns the record before the write, as a GET shows it: of a route that `returnsStored`, where the call has read-only members. */
  stored?(result: Result, answer: Answer): unknown;
}

/**
 * Writes state once for its `Idempotency-Key`, in one transaction with it, and again when another transaction was quicker. The
 * answer has a receipt, which reads take as `after`.
 * @throws HeadwaterError 429 when too many calls wait to write the same contact or order, or this one did for too long.
 */
export function writeOnce<Result extends FoldResult>(
  call: OnceCall,
  write: RouteWrite<Result>,
  { postgres, clock, secret }: WritePorts,
): Promise<Answer> {
  const { account } = call.caller;
  const turnOf = stateOf(account.number, write.reads);
  const transaction: Postgres["transaction"] = (run) => postgres.transaction(run, { keyLookupsOnly: true, turnOf });
  return retryOnConflict(() =>
    runOnce({ transaction }, call, async (transaction) => {
      const nowMs = clock.nowMs();
      await write.before?.(transaction);
      const recordId = `${call.requestId}:0:0`;
      const { result, position } = await writeState({ transaction, nowMs }, account, { ...write, recordId });
      const answer = await write.answer(result, transaction);
      const logged = (await write.log?.(result)) ?? [];
      const done = { requestId: call.requestId, accountId: account.id, nowMs, position, logged };
      const stored = hasReadOnly(call) ? write.stored?.(result, answer) : undefined;
      return { answer: withReceipt(answer, done, secret), kept: answer.body, stored };
    }),
  );
}

/** Returns whether a call has read-only members, which are compared with the record before the write. */
export function hasReadOnly({ readOnly }: Pick<OnceCall, "readOnly">): boolean {
  return readOnly !== undefined && readOnly.members.length > 0;
}

/** Returns a name of the contact or order that the call names; calls that name it otherwise meet at its lock. */
function stateOf(
  account: number,
  { orderId, identifiers: [identifier] = [] }: Partial<StateReads> = {},
): FlowKey | undefined {
  if (orderId !== undefined) return `${account} order ${orderId}`;
  return identifier && `${account} ${identifier.name} ${identifier.value}`;
}
