import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { type Account, type ExperimentState, findEnabledTest, readExperimentState } from "@headwater/contracts";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { type Clock, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import { followLog } from "../batchMessages/sendJob/experiment/followLog.ts";
import { readResults } from "../batchMessages/sendJob/experiment/readResults.ts";
import type { FrozenExperiment } from "../batchMessages/sendJob/frozen.ts";
import type { LogPosition } from "../batchMessages/sendJob/progress.ts";
import { banditShares } from "../experiments/banditShares.ts";
import { decideChampion } from "../experiments/decideChampion.ts";
import { goalCriteria } from "../experiments/goalCriteria.ts";
import { FIRST_SEND_CHECK_EVERY_MS, testLengthMs, WEIGHTS_RENEWED_AFTER_MS } from "../experiments/timings.ts";
import { freezeExperiment } from "../frozen/frozenExperiment.ts";
import { readTemplateContent } from "../frozen/templateContent.ts";
import {
  type DueTemplateExperiment,
  dueTemplateExperiments,
  hasSentVariant,
  storeTemplateLearnt,
  type TemplateExperiment,
} from "../templates/templateExperiments.ts";
import { readTemplate } from "../templates/templates.ts";

const CHECK_EVERY_MS = 5_000;
const EXPERIMENTS_AT_ONCE = 20;

export type ExperimentPorts = Pick<JobPorts, "clickhouse" | "clock" | "highWatermarks" | "postgres">;
type Next = Pick<TemplateExperiment, "learnt" | "testBeganAt" | "lookAt">;

interface Options extends ExperimentPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of the worker that learns from the experiments of templates. */
export function createExperimentUpkeep({ logger, ...ports }: Options): WorkLoop {
  const step = createExperimentStep(ports);
  return createWorkLoop({
    work: () => step().then(() => false),
    idleMs: CHECK_EVERY_MS,
    minMs: 1_000,
    maxMs: 60_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "learning from experiments failed, retrying"),
  });
}

interface Looking {
  readonly account: Account;
  readonly experiment: FrozenExperiment;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

const CHECK_TIMEOUT_MS = 30_000;

/** Creates one read of the experiments that are due. What several workers learn at once is stored once. */
export function createExperimentStep(ports: ExperimentPorts): () => Promise<void> {
  // Positions that champions wait for; a worker that starts again waits for a later one.
  const positions = new Map<string, LogPosition>();
  return async () => {
    const due = await dueTemplateExperiments(ports.postgres, ports.clock.nowMs(), EXPERIMENTS_AT_ONCE);
    const waiting = new Set(due.map(positionOf));
    for (const position of positions.keys()) if (!waiting.has(position)) positions.delete(position);
    for (const stored of due) await checkIn(stored, positions, ports);
  };
}

function positionOf({ account, mdtId, definition }: TemplateExperiment): string {
  return [account, mdtId, definition].join(":");
}

async function checkIn(
  stored: DueTemplateExperiment,
  places: Map<string, LogPosition>,
  ports: ExperimentPorts,
): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const account = await findAccountByNumber(ports.postgres, stored.account);
  const experiment = account && (await experimentOf(stored, account, ports));
  if (account === undefined || experiment === undefined) return;
  const looking = { account, experiment, nowMs, signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) };
  const next =
    experiment.type === "bandit"
      ? await renewWeights(stored, looking, ports)
      : await checkTest(stored, { ...looking, places }, ports);
  if (next !== undefined) await storeTemplateLearnt(ports.postgres, stored, next);
}

/** Returns the published experiment, with its goal as the account's definitions are now; a goal that is not valid any more is reached by nobody. */
async function experimentOf(
  { account: number, key, beganAt }: DueTemplateExperiment,
  account: Account,
  { postgres, clickhouse }: ExperimentPorts,
): Promise<FrozenExperiment | undefined> {
  const template = await readTemplate(postgres, number, key);
  if (template === undefined || template.published === null) return undefined;
  const { tests, variants } = readTemplateContent(template.published);
  const frozen = freezeExperiment(tests, variants);
  if (frozen === undefined) return undefined;
  const { goal: _, ...experiment } = frozen;
  const goal = findEnabledTest(tests)?.test.goal;
  if (goal === undefined) return experiment;
  const criteria = goalCriteria(goal, beganAt);
  const examined = await examineCriteria(criteria, { account }, { postgres, clickHouse: clickhouse });
  return examined.kind === "ok" ? { ...experiment, goal: examined.criteria } : experiment;
}

async function renewWeights(
  { mdtId, beganAt, testBeganAt, learnt }: TemplateExperiment,
  { experiment, ...looking }: Looking,
  ports: ExperimentPorts,
): Promise<Next> {
  const { nowMs } = looking;
  const asked = { id: mdtId, experiment, sentFrom: beganAt, sentBefore: nowMs - WEIGHTS_RENEWED_AFTER_MS };
  const results = await readResults(looking, asked, ports);
  const shares = banditShares(results, experiment.metric ?? "uniqueOpens", Math.random);
  const renewal = (readExperimentState(learnt).weights?.renewal ?? 0) + 1;
  const state: ExperimentState = { weights: { shares, renewal, at: nowMs } };
  return { learnt: JSON.stringify(state), testBeganAt, lookAt: nowMs + WEIGHTS_RENEWED_AFTER_MS };
}

interface LookingAtTest extends Looking {
  readonly places: Map<string, LogPosition>;
}

/**
 * A champion's test begins with its first send and takes `decideAfterMinutes`; it is decided once ClickHouse has all that happened in it.
 * @returns undefined while ClickHouse is behind.
 */
async function checkTest(
  stored: TemplateExperiment,
  { experiment, places, ...looking }: LookingAtTest,
  ports: ExperimentPorts,
): Promise<Next | undefined> {
  const { mdtId, beganAt, testBeganAt } = stored;
  const place = positionOf(stored);
  const { nowMs } = looking;
  if (testBeganAt === null) {
    if (!(await hasSentVariant(ports.postgres, stored))) {
      return { learnt: null, testBeganAt: null, lookAt: nowMs + FIRST_SEND_CHECK_EVERY_MS };
    }
    return { learnt: null, testBeganAt: nowMs, lookAt: nowMs + testLengthMs(experiment) };
  }
  const at = await followLog(places.get(place), nowMs, ports);
  if (at !== "passed") {
    places.set(place, at);
    return undefined;
  }
  places.delete(place);
  const results = await readResults(looking, { id: mdtId, experiment, sentFrom: beganAt }, ports);
  const state: ExperimentState = { decision: { ...decideChampion(results), at: nowMs } };
  return { learnt: JSON.stringify(state), testBeganAt, lookAt: null };
}
