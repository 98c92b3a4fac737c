import type { TemplateId } from "@headwater/intake/triggers/eventTriggers";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { RunKey } from "./templateRuns.ts";

const OPEN_SENDS = "state IN ('pending', 'sending', 'deferred')";

/** Runs of older ticks have no open sends: none is kept open for longer than three days. */
const openSendsStatement = {
  name: "template_runs_open_sends",
  text: `SELECT count(*) AS count FROM (SELECT FROM template_runs r JOIN sends s ON s.account = r.account AND s.want = r.id AND s.${OPEN_SENDS}
      WHERE r.account = $1 AND r.mdt_id = $2 AND r.tick_at > $3 LIMIT $4) AS open`,
};
const openOfRunStatement = {
  name: "template_runs_open_of_run",
  text: `SELECT count(*) AS count FROM (SELECT FROM sends WHERE account = $1 AND want = $2 AND ${OPEN_SENDS} LIMIT $3) AS open`,
};
const takeStatement = {
  name: "template_runs_take_chunks",
  text: `WITH due AS (SELECT n FROM send_chunks WHERE account = $1 AND message = $2 ORDER BY n LIMIT $3),
    taken AS (DELETE FROM send_chunks c USING due WHERE c.account = $1 AND c.message = $2 AND c.n = due.n RETURNING c.contacts)
    SELECT contact FROM (SELECT unnest(contacts) AS contact FROM taken) AS contacts ORDER BY contact`,
};
const touchWantStatement = {
  name: "template_runs_want",
  text: `INSERT INTO send_wants (account, id, template, is_draft, merge_data, created_at) VALUES ($1, $2, $3, false, '{}', $4)
    ON CONFLICT (account, id) DO UPDATE SET created_at = EXCLUDED.created_at`,
};
/** Contacts are locked: nobody else takes their next number. One that has a send of the run under another number gets no second one. */
const sendStatement = {
  name: "template_runs_send",
  text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, resends_left, want,
        created_at, due_at, at)
      SELECT $1, $3, c.number, 1 + COALESCE((SELECT max(s.n) FROM sends s WHERE s.account = $1 AND s.message = $3 AND s.contact = c.number), 0),
        'a', c.cid, $5, $6, $7, 'pending', $8, $2, $9, $9, $9
      FROM unnest($4::bigint[]) AS asked (number) JOIN contacts c ON c.account = $1 AND c.number = asked.number
      WHERE NOT EXISTS (SELECT FROM contacts m JOIN sends s ON s.account = $1 AND s.message = $3 AND s.contact = m.number AND s.want = $2
        WHERE m.account = $1 AND (m.number = c.number OR m.merged_into = c.number))
      ORDER BY c.number`,
};

/** Counts sends of a template's runs that have not ended, up to a limit. @param since milliseconds since 1970. */
export async function countOpenSendsOfRuns(
  session: Session,
  { account, mdtId, since, countMax }: TemplateId & { readonly since: number; readonly countMax: number },
): Promise<number> {
  const [row] = await session.query<{ count: number }>(openSendsStatement, [account, mdtId, since, countMax]);
  return row?.count ?? 0;
}

/** Counts sends of a run that have not ended, up to a limit. */
export async function countOpenSendsOfRun(
  session: Session,
  { account, id, countMax }: RunKey & { readonly countMax: number },
): Promise<number> {
  const [row] = await session.query<{ count: number }>(openOfRunStatement, [account, id, countMax]);
  return row?.count ?? 0;
}

/** Takes the next chunks of a run's audience. @returns their contacts; none when there are no more chunks. */
export async function takeRunChunks(
  transaction: Transaction,
  { account, id, chunksMax }: RunKey & { readonly chunksMax: number },
): Promise<number[]> {
  const rows = await transaction.query<{ contact: number }>(takeStatement, [account, id, chunksMax]);
  return rows.map(({ contact }) => contact);
}

export interface RunSends extends RunKey {
  /** Id as it stands in the mcID. */
  readonly message: string;
  /** Key of the template. */
  readonly template: string;
  /** Numbers of live contacts, which are locked. */
  readonly contacts: readonly number[];
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  readonly priority: number;
  readonly resendsLeft: number;
}

/** Stores wanted sends of a run. @returns how many. */
export async function insertRunSends(transaction: Transaction, sends: RunSends, nowMs: number): Promise<number> {
  const { account, id, message, template, contacts, channel, classification, priority, resendsLeft } = sends;
  if (contacts.length === 0) return 0;
  await transaction.execute(touchWantStatement, [account, id, template, nowMs]);
  const numbers = plainArray(contacts, (contact) => contact);
  const values = [account, id, message, numbers, channel, classification, priority, resendsLeft, nowMs];
  return transaction.execute(sendStatement, values);
}
