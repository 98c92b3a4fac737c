import { type NewWebhookEvent, publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readCids } from "@headwater/records/contacts/contactReads";
import { runView } from "../orchestrations/runView.ts";
import type { StoredRun } from "./postgres.ts";
import { readSteps } from "./runReads.ts";
import type { RunSendRow } from "./sendRows.ts";

const listeningStatement = {
  name: "orchestration_events_listening",
  text: `SELECT DISTINCT account FROM webhooks
    WHERE account = ANY ($1::int[]) AND events && ARRAY['orchestration.exited', 'orchestration.problem']`,
};

/** Results of a step that webhooks hear of. */
export interface RunEvents {
  /** Runs that have ended, as they are stored. */
  readonly ended: readonly StoredRun[];
  /** Sends that were wanted; those with a reason are none. */
  readonly sends: readonly RunSendRow[];
  readonly nowMs: number;
}

/**
 * Tells webhooks of runs that ended, and of steps that could not do what they are for: in the transaction of the step, so each is told once. Accounts
 * without such webhooks cost one look-up.
 */
export async function publishRunEvents(transaction: Transaction, { ended, sends, nowMs }: RunEvents): Promise<void> {
  const lost = sends.filter(({ reason }) => reason === "template-deleted");
  const accounts = [...new Set([...ended, ...lost].map(({ account }) => account))];
  if (accounts.length === 0) return;
  const listening = await transaction.query<{ account: number }>(listeningStatement, [
    plainArray(accounts, (account) => account),
  ]);
  for (const { account } of listening) {
    const own = ended.filter((one) => one.account === account);
    const events = [
      ...(await endsOf(transaction, account, own)),
      ...lost.flatMap((send) => (send.account === account ? [lostSend(send, nowMs)] : [])),
    ];
    await publishEvents(transaction, { account, nowMs }, events);
  }
}

async function endsOf(
  transaction: Transaction,
  account: number,
  ended: readonly StoredRun[],
): Promise<NewWebhookEvent[]> {
  const contacts = [...new Set(ended.map(({ run }) => run.contact))];
  const cids = await readCids(transaction, account, contacts);
  const steps = Map.groupBy(
    await readSteps(
      transaction,
      account,
      ended.map(({ id }) => id),
    ),
    ({ run }) => run,
  );
  return ended.flatMap(({ id, orchestration: orchestrationID, run }) => {
    const cid = cids.get(run.contact);
    if (cid === undefined) return [];
    const ids = { orchestrationID, cID: cid };
    const data = { orchestrationID, ...runView({ cid, run }, steps.get(id) ?? []) };
    // A run that is tried again may end again.
    const of = { source: `${id}:${run.visit}`, at: run.at, ids, contact: cid };
    const end = { type: "orchestration.exited", data, ...of } as const;
    return run.state === "failed" ? [end, { type: "orchestration.problem", data, ...of } as const] : [end];
  });
}

function lostSend(
  { orchestration: orchestrationID, node, template, effect, reason }: RunSendRow,
  at: number,
): NewWebhookEvent {
  const data = { orchestrationID, node, templateKey: template, reason };
  // One of a node and day is enough: a template that is gone meets every contact.
  const day = new Date(at).toISOString().slice(0, "2026-01-31".length);
  return {
    type: "orchestration.problem",
    source: `${orchestrationID}:${node}:${template}:${day}`,
    at,
    data,
    ids: { orchestrationID, effect },
  };
}
