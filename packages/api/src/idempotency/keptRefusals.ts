import { errorStatuses } from "@headwater/contracts";
import { type Answer, type Call, type Route, runKeyed, toErrorAnswer } from "@headwater/http";
import { HeadwaterError } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createIdempotencyStore } from "@headwater/postgres/idempotency/idempotency";
import { isWrite, routeOf, sentBy, textOf } from "../writing/keyedCall.ts";

/**
 * Keeps what a write with an `Idempotency-Key` is refused for, of its body's shape as well: a repeat gets it again, and another body
 * under the key is refused. What refuses a repeat of a call that was answered gives way to the first answer. Bodies that a route
 * streams are left out: they are not known when they are refused.
 */
export function withStoredRefusals(route: Route, postgres: Pick<Postgres, "transaction">): Route {
  if (!isWrite(route) || route.stream !== undefined) return route;
  return {
    ...route,
    async run(call) {
      try {
        return await route.run(call);
      } catch (error) {
        const first = isStored(error) ? await firstAnswer(route, call, { postgres, error }) : undefined;
        if (first === undefined) throw error;
        return first;
      }
    },
  };
}

/** Statuses of refusals that say nothing of the write: the caller's rights, its rate, a body that was not read. */
const NOT_STORED: ReadonlySet<number> = new Set([401, 403, 408, 413, 429]);

/** Returns whether a repeat would be refused for the same reason, as far as that lies with the caller. */
function isStored(error: unknown): error is HeadwaterError {
  if (!(error instanceof HeadwaterError) || !Object.hasOwn(errorStatuses, error.code)) return false;
  const { code, status, retriable } = error;
  return (
    !retriable && status >= 400 && status < 500 && !NOT_STORED.has(status) && !/^(IDEMPOTENCY|PREVIEW)_/.test(code)
  );
}

interface Refused {
  readonly postgres: Pick<Postgres, "transaction">;
  readonly error: HeadwaterError;
}

/**
 * Keeps a refusal in a transaction of its own, since that of the write is rolled back; a first call that was quicker keeps its answer.
 * Returns undefined for what was not answered before. Throws 422 when the key came with another body.
 */
async function firstAnswer(route: Route, call: Call, { postgres, error }: Refused): Promise<Answer | undefined> {
  const key = call.header("idempotency-key");
  const { caller } = call;
  if (key === undefined || caller === undefined) return undefined;
  const keyed = {
    call: { account: caller.account.number, route: routeOf(route, call.params), key },
    body: textOf({ body: sentBy(call) }),
    requestId: call.requestId,
    run: async (requestId: string) => {
      const { status, body, headers = {} } = toErrorAnswer(error, requestId);
      return { status, repeat: { status, body, headers } };
    },
  };
  const answer = await postgres.transaction((transaction) => runKeyed(createIdempotencyStore(transaction), keyed));
  return answer.headers?.["Idempotency-Replayed"] === undefined ? undefined : answer;
}
