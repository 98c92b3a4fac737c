import { hash } from "node:crypto";
import { newWantId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { FrozenMessage } from "../../frozen/frozenMessage.ts";
import { insertSends } from "../../sends/insertSends.ts";
import { countRecentSends } from "../../sends/sendReads.ts";
import { insertWant } from "../../sends/wants.ts";

/** A message that answers somebody who asked for help. */
export interface HelpAnswer {
  /** Number of the account. */
  readonly account: number;
  readonly transportId: string;
  readonly channel: string;
  /** Address that asked. */
  readonly to: string;
  readonly text: string;
  /** Names the question: one that is reported again is answered once. */
  readonly question: string;
}

/** Stores answers to be sent. Rejects while the store is away. */
export type AnswerHelp = (answers: readonly HelpAnswer[], nowMs: number) => Promise<void>;

/** The highest: somebody waits for it. */
const PRIORITY = 4;
/** Answers that an address gets in an hour: two programs that answer each other end there, and nobody makes an account pay without end. */
const ANSWERS_PER_HOUR = 4;
const HOUR_MS = 3_600_000;
const NOBODY = { contact: 0, cid: "0".repeat(24), n: 1 } as const;

/** Creates what lets the sender answer by the transport that brought the question. As tests do, answers count nowhere, and suppressions hold. */
export function createHelpAnswers(postgres: Pick<Postgres, "transaction">): AnswerHelp {
  return async (answers, nowMs) => {
    if (answers.length === 0) return;
    await postgres.transaction(async (transaction) => {
      for (const answer of answers) await storeAnswer(transaction, answer, nowMs);
    });
  };
}

async function storeAnswer(transaction: Transaction, answer: HelpAnswer, nowMs: number): Promise<void> {
  const { account, transportId, channel, to, text, question } = answer;
  const prefix = `help:${hash("sha256", `${channel}\n${to}`, "hex").slice(0, 32)}:`;
  if ((await countRecentSends(transaction, { account, prefix }, nowMs - HOUR_MS)) >= ANSWERS_PER_HOUR) return;
  const id = newWantId();
  const send = {
    ...({ ...NOBODY, kind: "t", classification: "transactional", state: "pending", variant: null } as const),
    ...{ account, message: `${prefix}${question}`, channel, priority: PRIORITY, want: id, address: to },
    ...{ resendsLeft: 0, dueAt: nowMs },
  };
  const isNew = (await insertSends(transaction, { account, sends: [send], nowMs })).length > 0;
  if (!isNew) return;
  const frozen = JSON.stringify(messageOf(channel, transportId));
  const want = { account, id, template: null, frozen, isDraft: true };
  const mergeData = JSON.stringify({ answer: text });
  await insertWant(transaction, { ...want, mergeData, attachments: null, event: null }, nowMs);
}

/** The text is a value, so that nothing in it is taken for Liquid. */
function messageOf(channel: string, transportId: string): FrozenMessage {
  return {
    ...{ channel, transportId, classification: "transactional", name: "HELP", key: null, bcc: null },
    ...{ tags: [], audienceKeys: [] },
    content: { message: { content: { "text/plain": "{{ mergeData.answer }}" } }, includes: [] },
    ...{ includes: {}, trackLinks: false, trackOpens: false, priority: PRIORITY, strict: false, holdoutPercent: 0 },
    onUnknown: "skip",
  };
}
