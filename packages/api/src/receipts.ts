import { lanes, type ReceiptPart, sealReceipt } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import type { WritePorts } from "./ports.ts";
import { isWrite } from "./writing/keyedCall.ts";

export const RECEIPT = "Headwater-Receipt";

/** A write that is done. */
export interface Done {
  readonly requestId: string;
  readonly accountId: string;
  readonly nowMs: number;
  /** Position in the outbox. */
  readonly position: number;
  /** Records that were written to the log with it. */
  readonly logged?: readonly ReceiptPart[];
}

/** Adds the receipt of a write to its answer. */
export function withReceipt(answer: Answer, done: Done, secret: string): Answer {
  return { ...answer, headers: { ...answer.headers, [RECEIPT]: receiptOf(done, secret) } };
}

/** A receipt for one record that is applied already; in place of an offset it names the position in the outbox. */
function receiptOf({ requestId, accountId, nowMs: receivedAt, position, logged = [] }: Done, secret: string): string {
  const at = { firstOffset: position, firstPlace: 0, lastOffset: position, lastPlace: 0 };
  const part = { lane: lanes.v2, partition: 0, ...at, count: 1 };
  return sealReceipt({ requestId, accountId, receivedAt, parts: [part, ...logged] }, secret);
}

/** Every position in the outbox is behind it. */
const BEFORE_ALL = 0;

/**
 * Adds a receipt to the answers of a route that writes, where they have none: such a write is in Postgres alone, and no read has to wait
 * for it.
 */
export function withReceipts(route: Route, { clock, secret }: Pick<WritePorts, "clock" | "secret">): Route {
  if (!isWrite(route)) return route;
  return {
    ...route,
    async run(call) {
      const answer = await route.run(call);
      const { status, headers, requestId = call.requestId } = answer;
      if (call.caller === undefined || status >= 300 || headers?.[RECEIPT] !== undefined) return answer;
      const { id: accountId } = call.caller.account;
      return withReceipt(answer, { requestId, accountId, nowMs: clock.nowMs(), position: BEFORE_ALL }, secret);
    },
  };
}
