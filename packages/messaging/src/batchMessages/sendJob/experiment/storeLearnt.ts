import { type BanditWeights, readExperimentState } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { releaseChunks } from "../../sendChunks.ts";
import { type SendingMessage, setExperiment } from "../../startMessages.ts";
import type { FrozenExperiment } from "../frozen.ts";
import { readTestEnd } from "./championEnd.ts";
import type { LearntNow } from "./lookAtExperiment.ts";

interface Deciding {
  /** Locked. */
  readonly message: SendingMessage;
  readonly experiment: FrozenExperiment | undefined;
  readonly learnt: Extract<LearntNow, { readonly kind: "decided" }>;
}

/** Stores the weights of a bandit that follow those in force; others that came first stay. */
export async function storeWeights(
  transaction: Transaction,
  { account, id, experiment }: SendingMessage,
  weights: BanditWeights,
): Promise<void> {
  const known = readExperimentState(experiment).weights?.renewal ?? 0;
  if (weights.renewal !== known + 1) return;
  await setExperiment(transaction, { account, id, experiment: JSON.stringify({ weights }), warning: null });
}

const WARNINGS = { "too-few-sends": "champion_too_few_sends", tie: "champion_tie" } as const;

/**
 * Stores which variant won, once, and lets those who waited for it be sent to, in one transaction. A test that went on meanwhile, because
 * contacts joined it, is decided later.
 */
export async function storeDecision(
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
