import type { Account } from "@headwater/contracts";
import type { TemplateId } from "@headwater/intake/triggers/eventTriggers";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { mayEnterAgain, type PastEntry } from "../entries/reentry.ts";
import type { TemplateEntry } from "../templates/entry.ts";

/** Entries of all numbers that a contact has had count. Numbers of sends stay as they were at the time. */
const readStatement = {
  name: "template_entries_read",
  text: `SELECT k.contact, k.key, max(e.entered_at) AS "enteredAt", bool_or(EXISTS (
        SELECT FROM sends s WHERE s.account = $1 AND s.want = e.want AND s.contact = e.contact AND s.state IN ('pending', 'sending', 'deferred')
      )) AS "isLive"
    FROM unnest($3::bigint[], $4::text[]) AS k (contact, key)
    JOIN contacts m ON m.account = $1 AND (m.number = k.contact OR m.merged_into = k.contact)
    JOIN template_entries e ON e.account = $1 AND e.mdt_id = $2 AND e.contact = m.number AND e.key = k.key
    GROUP BY k.contact, k.key`,
};
const storeStatement = {
  name: "template_entries_store",
  text: `INSERT INTO template_entries (account, mdt_id, contact, key, want, entered_at)
    SELECT DISTINCT ON (contact, key) $1, $2, contact, key, want, $6 FROM unnest($3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY
      AS r (contact, key, want, n) ORDER BY contact, key, n DESC
    ON CONFLICT (account, mdt_id, contact, key) DO UPDATE SET want = EXCLUDED.want, entered_at = EXCLUDED.entered_at`,
};
const deleteStatement = {
  name: "template_entries_delete",
  text: "DELETE FROM template_entries WHERE account = $1 AND mdt_id = $2",
};

/** A contact that a trigger would send to. */
export interface Entering {
  readonly contact: number;
  /** Key of the entry as `entryKeyOf` returns it. */
  readonly key: string | undefined;
  /** Want of the send. */
  readonly want: string;
}

export type Refusal = "key" | "reentry";

interface Entered {
  readonly account: Account;
  readonly template: TemplateId;
  readonly entry: TemplateEntry;
  readonly nowMs: number;
}

interface PastRow {
  readonly contact: number;
  readonly key: string;
  readonly enteredAt: number;
  readonly isLive: boolean;
}

/**
 * Decides, in order, who enters, and stores it in the transaction that stores the sends. The contacts are locked, so that nobody enters for them
 * meanwhile. A template that sends to everybody again and again costs nothing.
 * @returns why a contact does not enter, undefined for one that does, each in the order of the contacts.
 */
export async function enterTemplate(
  transaction: Transaction,
  { account, template, entry, nowMs }: Entered,
  entering: readonly Entering[],
): Promise<(Refusal | undefined)[]> {
  const withKey = entering.flatMap(({ contact, key, want }) => (key === undefined ? [] : [{ contact, key, want }]));
  // Who enters is decided once the audience is known: `answerEntries` asks again then.
  if (entry.audience !== undefined || entry.reentry === "always" || withKey.length === 0)
    return entering.map(({ key }) => (key === undefined ? "key" : undefined));
  const past = await readPast(transaction, template, withKey);
  const when = { at: nowMs, timezone: account.settings.timezone };
  const entered: { readonly contact: number; readonly key: string; readonly want: string }[] = [];
  const refusals = entering.map(({ contact, key, want }): Refusal | undefined => {
    if (key === undefined) return "key";
    const name = nameOf(contact, key);
    if (!mayEnterAgain(entry.reentry, past.get(name) ?? NEVER, when)) return "reentry";
    past.set(name, { enteredAt: nowMs, isLive: true });
    entered.push({ contact, key, want });
    return undefined;
  });
  await store(transaction, template, entered, nowMs);
  return refusals;
}

const NEVER: PastEntry = { enteredAt: undefined, isLive: false };

function nameOf(contact: number, key: string): string {
  return `${contact} ${key}`;
}

async function readPast(
  transaction: Transaction,
  { account, mdtId }: TemplateId,
  asked: readonly { readonly contact: number; readonly key: string }[],
): Promise<Map<string, PastEntry>> {
  const distinct = [...new Map(asked.map((one) => [nameOf(one.contact, one.key), one])).values()];
  const rows = await transaction.query<PastRow>(readStatement, [
    account,
    mdtId,
    plainArray(distinct, ({ contact }) => contact),
    textArray(distinct, ({ key }) => key),
  ]);
  return new Map(rows.map(({ contact, key, ...past }) => [nameOf(contact, key), past]));
}

async function store(
  transaction: Transaction,
  { account, mdtId }: TemplateId,
  entered: readonly { readonly contact: number; readonly key: string; readonly want: string }[],
  nowMs: number,
): Promise<void> {
  if (entered.length === 0) return;
  await transaction.execute(storeStatement, [
    account,
    mdtId,
    plainArray(entered, ({ contact }) => contact),
    textArray(entered, ({ key }) => key),
    textArray(entered, ({ want }) => want),
    nowMs,
  ]);
}

/** Forgets who entered, with the template. */
export async function deleteTemplateEntries(session: Session, { account, mdtId }: TemplateId): Promise<void> {
  await session.execute(deleteStatement, [account, mdtId]);
}
