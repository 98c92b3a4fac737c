import { type BanditWeights, readExperimentState } from "@headwater/contracts";
import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { countMessageSends } from "../messageSends.ts";
import { expandChunks, readChunkTotals, releaseChunks } from "../sendChunks.ts";
import { type SendingMessage, setExperiment, setMessageStatus } from "../startMessages.ts";
import { statusAfter } from "../transitions.ts";
import { readTestEnd } from "./experiment/championEnd.ts";
import type { LearntNow } from "./experiment/checkExperiment.ts";
import { type FrozenExperiment, readFrozen } from "./frozen.ts";
import { type Checked, checked, secondsToNextCheck } from "./looks.ts";
import type { SendProgress } from "./progress.ts";

const WARNINGS = { "too-few-sends": "champion_too_few_sends", tie: "champion_tie" } as const;

/** Wanted sends of a message that wait for a sender, at most, before more are made. */
const WAITING_MAX = 10_000;
const CHUNKS_AT_ONCE = 10;

/** A message that is being sent. */
export interface Feeding {
  readonly message: SendingMessage;
  readonly learnt: LearntNow | undefined;
  /** Progress of the step before this one. */
  readonly progress: SendProgress;
  readonly nowMs: number;
}

/** Makes wanted sends of the next chunks, and ends the message with its last outcome. */
export async function feedSenders(transaction: Transaction, feeding: Feeding): Promise<StepEnd<SendProgress>> {
  const { message, learnt, nowMs } = feeding;
  const { account, id } = message;
  const frozen = readFrozen(message.frozen);
  if (learnt?.kind === "decided") await storeDecision(transaction, { message, experiment: frozen.experiment, learnt });
  if (learnt?.kind === "renewed") await storeWeights(transaction, message, learnt.weights);
  const before = await countMessageSends(transaction, message);
  if (before.waiting < WAITING_MAX) {
    const { channel, classification, onUnknown } = frozen;
    const rowsSay = { channel, classification, resendsLeft: onUnknown === "resend" ? 1 : 0 };
    const chunks = { account, id, dueBy: nowMs, nowMs, chunksMax: CHUNKS_AT_ONCE, withWaiting: false };
    await expandChunks(transaction, chunks, rowsSay);
  }
  const { contacts } = await readChunkTotals(transaction, message);
  const { open, waiting, paced, rows } = await countMessageSends(transaction, message);
  const counts = { totalItems: rows + contacts, completedItems: rows - open };
  const result = { totalRecords: counts.totalItems, updated: counts.completedItems };
  const status = open + contacts === 0 ? statusAfter(message.status, "done") : undefined;
  if (status === undefined) {
    const looked = checked([contacts, rows, open, waiting, paced], nowMs, checkedBefore(feeding.progress));
    const wait = { seconds: secondsToNextCheck(looked, nowMs), givesWay: true, isThrottled: paced > 0 };
    return { kind: "wait", progress: progressAfter(learnt, looked), ...wait, ...counts, result };
  }
  await setMessageStatus(transaction, { account, id, status }, nowMs);
  return { kind: "done", ...counts, result };
}

function checkedBefore(progress: SendProgress): Checked | undefined {
  return progress.phase === "snapshot" ? progress.looked : undefined;
}

function progressAfter(learnt: LearntNow | undefined, looked: Checked): SendProgress {
  if (learnt?.kind !== "behind") return { phase: "snapshot", looked };
  return { phase: "decide", endMs: learnt.endMs, at: learnt.at };
}

interface Deciding {
  /** Locked. */
  readonly message: SendingMessage;
  readonly experiment: FrozenExperiment | undefined;
  readonly learnt: Extract<LearntNow, { readonly kind: "decided" }>;
}

/** Stores the weights of a bandit that follow those in force; others that came first stay. */
async function storeWeights(
  transaction: Transaction,
  { account, id, experiment }: SendingMessage,
  weights: BanditWeights,
): Promise<void> {
  const known = readExperimentState(experiment).weights?.renewal ?? 0;
  if (weights.renewal !== known + 1) return;
  await setExperiment(transaction, { account, id, experiment: JSON.stringify({ weights }), warning: null });
}

/**
 * Stores which variant won, once, and lets those who waited for it be sent to, in one transaction. A test that went on meanwhile, because
 * contacts joined it, is decided later.
 */
async function storeDecision(
  transaction: Transaction,
  { message, experiment, learnt: { endMs, learnt } }: Deciding,
): Promise<void> {
  const { account, id } = message;
  if (experiment === undefined || readExperimentState(message.experiment).decision !== undefined) return;
  if ((await readTestEnd(transaction, message, experiment)) !== endMs) return;
  const reason = learnt.decision?.reason;
  const warning = reason === undefined ? null : WARNINGS[reason];
  await setExperiment(transaction, { account, id, experiment: JSON.stringify(learnt), warning });
  await releaseChunks(transaction, { account, id });
}
