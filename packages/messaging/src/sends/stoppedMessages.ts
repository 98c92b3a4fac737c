import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { SendKey } from "./sendRow.ts";

/** State of a batch message that makes no attempts now: a paused one holds its sends, one that is over ends them. */
export type MessageStop = "held" | "ended";

const stoppedStatement = {
  name: "sends_stopped",
  text: `SELECT m.account, m.id, m.status FROM batch_messages m
      JOIN (SELECT DISTINCT account, id FROM unnest($1::int[], $2::text[]) AS a (account, id)) AS asked USING (account, id)
    ORDER BY m.account, m.id FOR SHARE OF m`,
};

/**
 * Returns the batch messages of sends that make no attempts now. None of them is paused, resumed or canceled before the transaction ends,
 * so that a send that becomes due again meets the state that its message has.
 */
export async function lockStopped(
  transaction: Transaction,
  sends: readonly Pick<SendKey, "account" | "message">[],
): Promise<(send: Pick<SendKey, "account" | "message">) => MessageStop | undefined> {
  if (sends.length === 0) return () => undefined;
  const rows = await transaction.query<{ account: number; id: string; status: string }>(stoppedStatement, [
    plainArray(sends, ({ account }) => account),
    textArray(sends, ({ message }) => message),
  ]);
  const stops = new Map(rows.map(({ account, id, status }) => [`${account} ${id}`, STOPS[status]]));
  return ({ account, message }) => stops.get(`${account} ${message}`);
}

const STOPS: Readonly<Record<string, MessageStop>> = { paused: "held", canceled: "ended", failed: "ended" };
