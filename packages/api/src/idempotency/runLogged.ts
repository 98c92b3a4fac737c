import { type Answer, type KeyedAnswer, type LeaseStore, runKeyed } from "@headwater/http";
import type { Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createIdempotencyStore, createLeaseStore } from "@headwater/postgres/idempotency/idempotency";
import { noteWrite } from "../accountLog/noteWrite.ts";
import { textOf } from "../writing/keyedCall.ts";
import type { OnceCall } from "./runOnce.ts";

interface LogPorts {
  readonly postgres: Postgres;
  readonly logger: Logger;
}

const FIRST_REFUSAL = 300;

/**
 * Runs a write to the record log once for its `Idempotency-Key`: the intent is stored before the log is written and the answer after,
 * and a retry writes under the same record ids. The entry in the account's log is written once Kafka has the records, in one transaction
 * with the kept answer where there is one: no caller has an answer without it.
 * @throws HeadwaterError 409, 422, 503 as `runKeyed`, and what `run` throws.
 */
export async function runLogged(
  { postgres, logger }: LogPorts,
  once: OnceCall,
  run: (requestId: string, isKeyed: boolean) => Promise<KeyedAnswer>,
): Promise<Answer> {
  const { key, caller, route } = once;
  if (key === undefined) {
    const { repeat: _, ...answer } = await run(once.requestId, false);
    await noteWrite(postgres, once, answer);
    return answer;
  }
  return runKeyed(storeWithEntry({ postgres, logger }, once), {
    call: { account: caller.account.number, route, key },
    body: textOf(once),
    requestId: once.requestId,
    run: (requestId) => run(requestId, true),
  });
}

/** Keeps an answer together with the entry of what was written; one that refuses has no entry. */
function storeWithEntry({ postgres, logger }: LogPorts, once: OnceCall): LeaseStore {
  return {
    ...createLeaseStore(postgres, logger),
    complete: (call, requestId, answer) =>
      postgres.transaction(async (transaction) => {
        await createIdempotencyStore(transaction).complete(call, requestId, answer);
        if (answer.status < FIRST_REFUSAL) await noteWrite(transaction, { ...once, requestId }, answer);
      }),
  };
}
