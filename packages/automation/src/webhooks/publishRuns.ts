import { type NewWebhookEvent, publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import { runView } from "../orchestrations/routes/listOrchestrationcontacts.ts";
import type { StoredRun } from "../runs/postgres.ts";
import { readSteps } from "../runs/runReads.ts";
import type { RunSendRow } from "../runs/sendRows.ts";

const listeningStatement = {
  name: "webhooks_listening_to_runs",
  text: `SELECT DISTINCT account FROM webhooks WHERE account = ANY ($1::int[])
    AND events && '{orchestration.exited,orchestration.problem}'::text[]`,
};
const cidsStatement = {
  name: "webhooks_contacts_of_runs",
  text: "SELECT number, cid FROM contacts WHERE account = $1 AND number = ANY ($2::bigint[])",
};

/** Results of a unit of runs that webhooks may listen to. */
export interface RunEvents {
  readonly ended: readonly StoredRun[];
  readonly skipped: readonly RunSendRow[];
}

/** Publishes the ends of runs and steps whose template is deleted, in the transaction that stores them; their steps are stored. */
export async function publishRuns(
  transaction: Transaction,
  { ended, skipped }: RunEvents,
  nowMs: number,
): Promise<void> {
  const deleted = skipped.filter(({ reason }) => reason === "template-deleted");
  const accounts = new Set([...ended, ...deleted].map(({ account }) => account));
  if (accounts.size === 0) return;
  const named = plainArray([...accounts], (account) => account);
  const listening = await transaction.query<{ account: number }>(listeningStatement, [named]);
  for (const { account } of listening) {
    const problems = deleted.filter((row) => row.account === account).map((row) => problemOf(row, nowMs));
    const ofAccount = ended.filter((row) => row.account === account);
    const ends = await endsOf(transaction, account, ofAccount);
    await publishEvents(transaction, { account, nowMs }, [...problems, ...ends]);
  }
}

/** Returns the event about a step without its template: one for all runs that come to it. */
function problemOf({ orchestration, node, template }: RunSendRow, at: number): NewWebhookEvent {
  const ids = { orchestration, node, template, reason: "template-deleted" };
  return { type: "orchestration.problem", source: `${orchestration}/${node}/${template}`, at, data: ids, ids };
}

/** Returns the ends of runs as answers show them. One whose contact is erased has none. */
async function endsOf(transaction: Transaction, account: number, ended: readonly StoredRun[]) {
  if (ended.length === 0) return [];
  const numbers = plainArray([...new Set(ended.map(({ run }) => run.contact))], (number) => number);
  const rows = await transaction.query<{ number: number; cid: string }>(cidsStatement, [account, numbers]);
  const cids = new Map(rows.map(({ number, cid }) => [number, cid]));
  const ids = ended.map(({ id }) => id);
  const steps = Map.groupBy(await readSteps(transaction, account, ids), ({ run }) => run);
  return ended.flatMap(({ id, orchestration, run }): NewWebhookEvent[] => {
    const cid = cids.get(run.contact);
    if (cid === undefined) return [];
    const named = { orchestration, id, cID: cid, version: run.version, state: run.state };
    const data = { ...named, ...runView({ cid, run }, steps.get(id) ?? []) };
    return [{ type: "orchestration.exited", source: id, at: run.at, contact: cid, data, ids: named }];
  });
}
