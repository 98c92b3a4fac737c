import type { Account } from "@headwater/contracts";
import type { TemplateId } from "@headwater/intake/triggers/eventTriggers";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { HELD_MS, STORE_NOW } from "../sends/sendRow.ts";
import type { TemplateEntry } from "../templates/entry.ts";
import { lockRecipients } from "../templates/wantSends.ts";
import { type Entering, enterTemplate } from "./templateEntries.ts";

/** Asks whether the contact of a held send is in the audience of its template's entry. */
export interface EntryQuestion {
  readonly account: number;
  /** Want of the send. */
  readonly want: string;
  readonly contact: number;
  readonly mdtId: string;
  /** Key of the entry, JSON text. */
  readonly key: string;
}

const askStatement = {
  name: "template_entry_questions_ask",
  text: `WITH asked AS (SELECT DISTINCT ON (want, contact) want, contact, key
        FROM unnest($3::text[], $4::bigint[], $5::text[]) AS r (want, contact, key) ORDER BY want, contact),
      questions AS (INSERT INTO template_entry_questions (account, want, contact, mdt_id, key, asked_at)
        SELECT $1, want, contact, $2, key, $6 FROM asked ON CONFLICT DO NOTHING)
    UPDATE sends s SET due_at = s.due_at + ${HELD_MS} FROM asked a
      WHERE s.account = $1 AND s.want = a.want AND s.contact = a.contact AND s.state = 'pending' AND s.due_at < ${HELD_MS}`,
};
const claimStatement = {
  name: "template_entry_questions_claim",
  text: `UPDATE template_entry_questions q SET claimed_until = ${STORE_NOW} + $3
    FROM (SELECT account, want, contact FROM template_entry_questions WHERE asked_at <= $1 AND claimed_until <= ${STORE_NOW}
      ORDER BY asked_at LIMIT $2 FOR UPDATE SKIP LOCKED) k
    WHERE (q.account, q.want, q.contact) = (k.account, k.want, k.contact)
    RETURNING q.account, q.want, q.contact, q.mdt_id AS "mdtId", q.key`,
};
const takeStatement = {
  name: "template_entry_questions_take",
  text: `DELETE FROM template_entry_questions q USING unnest($2::text[], $3::bigint[]) AS k (want, contact)
    WHERE q.account = $1 AND (q.want, q.contact) = (k.want, k.contact) RETURNING q.want, q.contact`,
};
/** One that somebody canceled meanwhile has ended. */
const HELD = `s.account = $1 AND s.want = k.want AND s.contact = k.contact AND s.state IN ('pending', 'deferred') AND s.due_at >= ${HELD_MS}`;
const freeStatement = {
  name: "sends_entered",
  text: `UPDATE sends s SET due_at = s.due_at - ${HELD_MS} FROM unnest($2::text[], $3::bigint[]) AS k (want, contact) WHERE ${HELD}`,
};
const refuseStatement = {
  name: "sends_not_entered",
  text: `UPDATE sends s SET state = 'skipped', reason = k.reason, due_at = s.due_at - ${HELD_MS}, at = $5
    FROM unnest($2::text[], $3::bigint[], $4::text[]) AS k (want, contact, reason) WHERE ${HELD}`,
};

interface Asking {
  readonly template: TemplateId;
  readonly entry: TemplateEntry;
  readonly nowMs: number;
}

/** Holds sends of a template whose entry names an audience, and asks whether their contacts are in it. They were stored in this transaction. */
export async function askEntries(
  transaction: Transaction,
  { template: { account, mdtId }, entry, nowMs }: Asking,
  entering: readonly Entering[],
): Promise<void> {
  if (entry.audience === undefined || entering.length === 0) return;
  await transaction.execute(askStatement, [
    account,
    mdtId,
    textArray(entering, ({ want }) => want),
    plainArray(entering, ({ contact }) => contact),
    textArray(entering, ({ key = "" }) => key),
    nowMs,
  ]);
}

/** Claims questions that were asked by an instant, the oldest first. */
export function claimEntryQuestions(
  session: Session,
  { untilMs, questionsMax, claimMs }: ClaimedQuestions,
): Promise<EntryQuestion[]> {
  return session.query(claimStatement, [untilMs, questionsMax, claimMs]);
}

export interface ClaimedQuestions {
  /** Milliseconds since 1970. */
  readonly untilMs: number;
  readonly questionsMax: number;
  readonly claimMs: number;
}

interface Answered {
  readonly account: Account;
  readonly template: TemplateId;
  /** Entry of the template as it is now. */
  readonly entry: TemplateEntry;
  readonly questions: readonly EntryQuestion[];
  /** Returns whether a contact is in the audience. */
  readonly fits: (contact: number) => boolean;
  readonly nowMs: number;
}

/** Frees the held sends of contacts that enter, and skips those of all others with the reason. A question is answered once. */
export async function answerEntries(
  transaction: Transaction,
  { account, template, entry, questions, fits, nowMs }: Answered,
): Promise<void> {
  const { number } = account;
  const recipients = await lockRecipients(
    transaction,
    account,
    questions.map(({ contact }) => contact),
  );
  const taken = await takeQuestions(transaction, number, questions);
  const own = questions.filter((one) => taken.has(nameOf(one)));
  const inside = own.filter(({ contact }) => fits(contact));
  const entering = inside.map(({ contact, want, key }) => {
    return { contact: recipients.get(contact)?.contact ?? contact, want, key };
  });
  const { audience: _, ...rules } = entry;
  const refusals = await enterTemplate(transaction, { account, template, entry: rules, nowMs }, entering);
  const free = inside.filter((_, index) => refusals[index] === undefined);
  const refused = [
    ...own.filter(({ contact }) => !fits(contact)).map((one) => ({ ...one, reason: "audience" })),
    ...inside.flatMap((one, index) => {
      const reason = refusals[index];
      return reason === undefined ? [] : [{ ...one, reason }];
    }),
  ];
  if (free.length > 0) await transaction.execute(freeStatement, [number, ...keysOf(free)]);
  if (refused.length === 0) return;
  const reasons = textArray(refused, ({ reason }) => reason);
  await transaction.execute(refuseStatement, [number, ...keysOf(refused), reasons, nowMs]);
}

type Key = Pick<EntryQuestion, "want" | "contact">;

async function takeQuestions(
  transaction: Transaction,
  account: number,
  questions: readonly Key[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<Key>(takeStatement, [account, ...keysOf(questions)]);
  return new Set(rows.map(nameOf));
}

function keysOf(questions: readonly Key[]): [string, string] {
  return [textArray(questions, ({ want }) => want), plainArray(questions, ({ contact }) => contact)];
}

function nameOf({ want, contact }: Key): string {
  return `${want} ${contact}`;
}
