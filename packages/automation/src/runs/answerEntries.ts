import { readTemplatesById } from "@headwater/messaging/templates/templates";
import { readTemplateSettings } from "@headwater/messaging/templates/templateView";
import {
  answerEntries as answer,
  claimEntryQuestions,
  type EntryQuestion,
} from "@headwater/messaging/triggers/entryQuestions";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { loadContacts } from "@headwater/records/contacts/contacts";
import { readLive } from "@headwater/records/contacts/liveContacts";
import type { AnswerPorts } from "./answerQuestions.ts";
import { fittingAmong } from "./fittingAmong.ts";

const QUESTIONS_AT_ONCE = 1_000;
/** Longer than all queries of a claim take. */
const CLAIM_MS = 120_000;

/**
 * Answers which contacts of automated messages are in the audience of their template's entry, as the entry of orchestrations is answered.
 * @param untilMs an instant from before which both stores have everything: what led to a send is in them.
 * @returns how many sends waited for it.
 */
export async function answerEntries(ports: AnswerPorts, untilMs: number): Promise<number> {
  const how = { untilMs, questionsMax: QUESTIONS_AT_ONCE, claimMs: CLAIM_MS };
  const claimed = await claimEntryQuestions(ports.postgres, how);
  for (const own of Map.groupBy(claimed, ({ account, mdtId }) => `${account} ${mdtId}`).values())
    await answerOf(ports, own);
  return claimed.length;
}

/** Answers the questions of one template. Nobody is in an audience that cannot be counted any more. */
async function answerOf(ports: AnswerPorts, questions: readonly EntryQuestion[]): Promise<void> {
  const { postgres, clock } = ports;
  const [first] = questions;
  const account = first && (await ports.journeys.account(postgres, first.account));
  if (first === undefined || account === undefined) return;
  const { number } = account;
  const [template] = await readTemplatesById(postgres, number, [first.mdtId]);
  const nowMs = clock.nowMs();
  const name = { account: number, mdtId: first.mdtId };
  if (template === undefined) {
    // The sender says of a send whose template is gone why it is skipped.
    const gone = { account, template: name, entry: { reentry: "always", holdoutPercent: 0 }, questions } as const;
    await postgres.transaction((transaction) => answer(transaction, { ...gone, fits: () => true, nowMs }));
    return;
  }
  const { entry } = readTemplateSettings(template);
  const rows = await readLive(number, [...new Set(questions.map(({ contact }) => contact))], (keys) =>
    loadContacts(postgres, keys),
  );
  const among = [...new Set([...rows.values()].map((row) => row.number))];
  const { audience } = entry;
  const asked = { account, criteria: { audience }, among, at: nowMs };
  const found = audience === undefined ? undefined : await fittingAmong(ports, asked);
  if (audience !== undefined && found === undefined) ports.onAudienceFailed?.(audience);
  const fits = (contact: number) => audience === undefined || found?.has(rows.get(contact)?.number ?? contact) === true;
  await retryOnConflict(() =>
    postgres.transaction((transaction) =>
      answer(transaction, { account, template: name, entry, questions, fits, nowMs }),
    ),
  );
}
