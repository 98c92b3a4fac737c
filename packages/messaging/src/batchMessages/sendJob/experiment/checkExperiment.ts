import { type BanditWeights, type ExperimentState, readExperimentState } from "@headwater/contracts";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { banditShares } from "../../../experiments/banditShares.ts";
import { decideChampion } from "../../../experiments/decideChampion.ts";
import { WEIGHTS_RENEWED_AFTER_MS } from "../../../experiments/timings.ts";
import { countMessageSends } from "../../messageSends.ts";
import { readChunkTotals } from "../../sendChunks.ts";
import type { SendingMessage } from "../../startMessages.ts";
import { type FrozenExperiment, readFrozen } from "../frozen.ts";
import type { LogPosition } from "../progress.ts";
import type { SendWork } from "../takeSnapshot.ts";
import { readTestEnd } from "./championEnd.ts";
import { followLog } from "./followLog.ts";
import { readResults } from "./readResults.ts";

/** Result of a check of an experiment, outside of the step's transaction. */
export type LearntNow =
  /** A champion's test is over; what happened in it is not in ClickHouse yet. */
  | { readonly kind: "behind"; readonly endMs: number; readonly at: LogPosition }
  | { readonly kind: "decided"; readonly endMs: number; readonly learnt: ExperimentState }
  /** Weights of a bandit that follow those in force. */
  | { readonly kind: "renewed"; readonly weights: BanditWeights };

/** Checks whether there is something to learn from the experiment of a message that is being sent. */
export async function checkExperiment(
  work: SendWork,
  message: SendingMessage,
  ports: JobPorts,
): Promise<LearntNow | undefined> {
  const { experiment } = readFrozen(message.frozen);
  const known = readExperimentState(message.experiment);
  if (experiment?.type === "bandit") return renewWeights(work, { message, experiment, known: known.weights }, ports);
  if (experiment?.type !== "split-with-champion" || known.decision !== undefined) return undefined;
  return checkTest(work, { message, experiment }, ports);
}

/** The champion is decided once ClickHouse has all that happened until the test ended. */
async function checkTest(
  work: SendWork,
  { message, experiment }: { readonly message: SendingMessage; readonly experiment: FrozenExperiment },
  ports: JobPorts,
): Promise<LearntNow | undefined> {
  const { progress, nowMs } = work;
  const endMs = await readTestEnd(ports.postgres, message, experiment);
  if (endMs === undefined || nowMs < endMs) return undefined;
  const reached = progress?.phase === "decide" && progress.endMs === endMs ? progress.at : undefined;
  const at = await followLog(reached, nowMs, ports);
  if (at !== "passed") return { kind: "behind", endMs, at };
  const results = await readResults(work, { id: message.id, experiment }, ports);
  return { kind: "decided", endMs, learnt: { decision: { ...decideChampion(results), at: nowMs } } };
}

interface Renewing {
  readonly message: SendingMessage;
  readonly experiment: FrozenExperiment;
  readonly known: BanditWeights | undefined;
}

/** Finds new weights of a bandit from what contacts did with its variants, where some are due and contacts are still to come. */
async function renewWeights(
  work: SendWork,
  { message, experiment, known }: Renewing,
  ports: JobPorts,
): Promise<{ readonly kind: "renewed"; readonly weights: BanditWeights } | undefined> {
  const { nowMs } = work;
  const since = known?.at ?? message.startedAt ?? nowMs;
  if (nowMs < since + WEIGHTS_RENEWED_AFTER_MS) return undefined;
  const { contacts } = await readChunkTotals(ports.postgres, message);
  const { untried } = await countMessageSends(ports.postgres, message);
  if (contacts + untried === 0) return undefined;
  const asked = { id: message.id, experiment, sentBefore: nowMs - WEIGHTS_RENEWED_AFTER_MS };
  const results = await readResults(work, asked, ports);
  const shares = banditShares(results, experiment.metric ?? "uniqueOpens", Math.random);
  return { kind: "renewed", weights: { shares, renewal: (known?.renewal ?? 0) + 1, at: nowMs } };
}
