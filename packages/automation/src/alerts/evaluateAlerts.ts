import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { type Clock, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { foldObservation, type Observation } from "./fold.ts";
import { type NoticeOfAlert, publishNotices } from "./notices.ts";
import { type ObservePorts, observe, wholeMinute } from "./observe.ts";
import {
  type AlertTurn,
  claimTurns,
  endTurn,
  lockEnabled,
  noteLag,
  readEnabled,
  readTargets,
  storeEvaluated,
  type WatchedAlert,
} from "./postgres.ts";

export interface EvaluationPorts extends Omit<ObservePorts, "postgres"> {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Instant (milliseconds since 1970) from before which ClickHouse has everything; 0 while this process does not know. */
  readonly storesAsOf: () => number;
  /** Counts the evaluation of an account by what came of it. */
  readonly onEvaluated: (outcome: EvaluationOutcome) => void;
  /** Counts a notice. */
  readonly onNotice: (kind: NoticeOfAlert["kind"]) => void;
}

/** `lost`: another process had the turn by then, and nothing was stored. */
export const evaluationOutcomes = ["evaluated", "failed", "lost"] as const;
export type EvaluationOutcome = (typeof evaluationOutcomes)[number];

const MINUTE_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
/** Accounts that a process evaluates at a time. Of those that took long the last time there are fewer: they delay no other. */
const ACCOUNTS_MAX = 8;
const SLOW_ACCOUNTS_MAX = 2;
const SLOW_MS = 2_000;
/** Accounts without an enabled alert are looked at again after this time; creating or enabling one does not wait for it. */
const IDLE_MS = 3_600_000;
/** Time for all queries of an account. */
const ACCOUNT_MS_MAX = 25_000;
/** Longer than that and the store of its outcome take: after a kill the account is due again then. */
const LEASE_MS = 60_000;

/** Evaluates the alerts of each account once a minute. Any number of processes share the accounts. */
export function createEvaluations(ports: EvaluationPorts): WorkLoop {
  const evaluations = new Evaluations(ports);
  const loop = createWorkLoop({
    work: () => evaluations.startDue(),
    idleMs: CHECK_EVERY_MS,
    minMs: 200,
    maxMs: 10_000,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "evaluating alerts failed, retrying"),
  });
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await evaluations.empty();
    },
  };
}

/** Evaluates all accounts that are due, and returns once that is done. */
export async function evaluateAlerts(ports: EvaluationPorts): Promise<void> {
  const evaluations = new Evaluations(ports);
  while (await evaluations.startDue()) await evaluations.empty();
  await evaluations.empty();
}

class Evaluations {
  readonly #ports: EvaluationPorts;
  readonly #running = { fast: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  #notedMinute = 0;
  #asOf = 0;

  constructor(ports: EvaluationPorts) {
    this.#ports = ports;
  }

  /** Starts what is due, as far as there is capacity. @returns whether something was started. */
  async startDue(): Promise<boolean> {
    const { clock, postgres, storesAsOf } = this.#ports;
    const nowMs = clock.nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    // Each process notes it: one that has just begun takes over what others know.
    if (minute !== this.#notedMinute) this.#asOf = await noteLag(postgres, nowMs, Math.min(nowMs, storesAsOf()));
    this.#notedMinute = minute;
    const fast = await this.#start("fast", nowMs);
    return (await this.#start("slow", nowMs)) || fast;
  }

  async empty(): Promise<void> {
    await Promise.all([...this.#running.fast, ...this.#running.slow]);
  }

  async #start(kind: "fast" | "slow", nowMs: number): Promise<boolean> {
    const running = this.#running[kind];
    const turnsMax = (kind === "fast" ? ACCOUNTS_MAX : SLOW_ACCOUNTS_MAX) - running.size;
    if (turnsMax <= 0) return false;
    const claim = { nowMs, until: nowMs + LEASE_MS, turnsMax, isSlow: kind === "slow" };
    const turns = await claimTurns(this.#ports.postgres, claim);
    for (const turn of turns) {
      const evaluated = this.#evaluate(turn).finally(() => void running.delete(evaluated));
      running.add(evaluated);
    }
    return turns.length > 0;
  }

  /** A failure is logged and counted: the account is due again once its claim has ended. */
  async #evaluate(turn: AlertTurn): Promise<void> {
    const { logger, onEvaluated, storesAsOf } = this.#ports;
    try {
      const asOf = Math.max(this.#asOf, storesAsOf());
      onEvaluated((await evaluateAccount(turn, asOf, this.#ports)) ? "evaluated" : "lost");
    } catch (error) {
      onEvaluated("failed");
      logger.warn({ err: error, account: turn.account }, "evaluating the alerts of an account failed, retrying");
    }
  }
}

/**
 * Evaluates the alerts of an account. What it leaves of them, the events for webhooks, the mails to send and the end of the turn are one
 * transaction: a kill before it changes nothing, and after it nothing is left to do.
 * @returns false where somebody else has the turn by then.
 */
async function evaluateAccount(turn: AlertTurn, asOf: number, ports: EvaluationPorts): Promise<boolean> {
  const { postgres, clock } = ports;
  const startedMs = clock.monotonicMs();
  const account = await findAccountByNumber(postgres, turn.account);
  const alerts = account === undefined ? [] : await readEnabled(postgres, turn.account);
  const nowMs = clock.nowMs();
  if (account === undefined || alerts.length === 0) {
    return endTurn(postgres, turn, { dueAt: nowMs + IDLE_MS, isSlow: false });
  }
  const targets = await readTargets(postgres, turn.account, alerts);
  const until = { nowMs, stores: Math.min(asOf, nowMs) };
  const signal = AbortSignal.timeout(ACCOUNT_MS_MAX);
  const observations = await observe({ account, alerts, targets, until, signal }, ports);
  const isSlow = clock.monotonicMs() - startedMs > SLOW_MS;
  const nameOf = ({ msID, mdtID }: WatchedAlert) => targets.get(msID ?? mdtID ?? "") ?? account.name;
  const storing = { turn, alerts, observations, nameOf, nowMs, isSlow };
  const notices = await postgres.transaction((transaction) => store(transaction, storing));
  for (const { kind } of notices ?? []) ports.onNotice(kind);
  return notices !== undefined;
}

interface Storing {
  readonly turn: AlertTurn;
  /** Alerts as they were observed. */
  readonly alerts: readonly WatchedAlert[];
  readonly observations: ReadonlyMap<string, Observation>;
  readonly nameOf: (alert: WatchedAlert) => string;
  readonly nowMs: number;
  readonly isSlow: boolean;
}

type Transaction = Parameters<Parameters<Postgres["transaction"]>[0]>[0];

/** Alerts are locked before the turn, as a call that enables one does. Those that were changed since they were read are left to the next turn. */
async function store(
  transaction: Transaction,
  { turn, alerts, observations, nameOf, nowMs, isSlow }: Storing,
): Promise<readonly NoticeOfAlert[] | undefined> {
  const { account } = turn;
  const revisions = new Map(alerts.map(({ id, revision }) => [id, revision]));
  const locked = await lockEnabled(transaction, account, [...observations.keys()]);
  const dueAt = wholeMinute(nowMs) + MINUTE_MS;
  if (!(await endTurn(transaction, turn, { dueAt, isSlow }))) return undefined;
  const notices: NoticeOfAlert[] = [];
  const evaluated: WatchedAlert[] = [];
  for (const alert of locked) {
    const observation = observations.get(alert.id);
    if (observation === undefined || alert.revision !== revisions.get(alert.id)) continue;
    const { after, notice } = foldObservation(alert, observation, { conditions: alert.conditions, nowMs });
    const left = { ...alert, ...after };
    evaluated.push(left);
    if (notice !== undefined) notices.push({ ...notice, alert: left, target: nameOf(alert) });
  }
  await storeEvaluated(transaction, account, evaluated);
  await publishNotices(transaction, { account, nowMs }, notices);
  return notices;
}
