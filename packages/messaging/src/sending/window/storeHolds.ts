import { isDeepStrictEqual } from "node:util";
import { shareAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, sendHoursOf } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { releaseSends } from "../../sends/claimSends.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { shareTransports } from "../../transports/postgres.ts";
import type { OpenTransport } from "../transports/handovers.ts";

/** A send that is not for now. */
export interface HeldSend {
  readonly send: StoredSend;
  readonly reason: string;
  /** Milliseconds since 1970: it is due again from then. */
  readonly until: number;
  readonly transport: OpenTransport | undefined;
}

interface Storing {
  readonly holds: readonly HeldSend[];
  readonly nowMs: number;
  readonly owner: string;
}

/**
 * Gives sends back that are not for now. Those that wait by settings that were changed since are due at once: the change makes due only what
 * was stored before it.
 */
export async function storeHolds(
  transaction: Transaction,
  account: Account,
  { holds, nowMs, owner }: Storing,
): Promise<void> {
  const isOutdated = await findOutdated(transaction, account, holds);
  for (const hold of holds) {
    const { send, reason, until } = hold;
    const dueAt = isOutdated(hold) ? nowMs : until;
    await releaseSends(transaction, [send], { account: account.number, owner, dueAt, reason });
  }
}

/** Locks what the settings are read from before any send: no change of them stands between what is read here and the end of the transaction. */
async function findOutdated(
  transaction: Transaction,
  account: Account,
  holds: readonly HeldSend[],
): Promise<(hold: HeldSend) => boolean> {
  const paced = holds.flatMap(({ reason, transport }) => (reason === "rate" && transport ? [transport] : []));
  const waitsForHours = holds.some(({ reason }) => reason === "quiet-hours");
  const stored = waitsForHours ? await shareAccount(transaction, account.number) : account;
  const hoursChanged = stored && !isDeepStrictEqual(sendHoursOf(stored.settings), sendHoursOf(account.settings));
  const ids = [...new Set(paced.map(({ id }) => id))];
  const changedAt =
    ids.length > 0 ? await shareTransports(transaction, account.number, ids) : new Map<string, number>();
  return ({ reason, transport }) => {
    if (reason === "quiet-hours") return hoursChanged === true;
    return reason === "rate" && transport !== undefined && changedAt.get(transport.id) !== transport.updatedAt;
  };
}
