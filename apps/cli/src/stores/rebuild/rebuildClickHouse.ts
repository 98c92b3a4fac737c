import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { listAccounts } from "@headwater/accounts/accounts/accounts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { HISTORY_GROUP } from "@headwater/contracts";
import { clearStore, dropStagingTables } from "@headwater/guard/clickHouseWitness/clearStore";
import { renewIdentity } from "@headwater/guard/clickHouseWitness/knownStore";
import {
  beginHistoryAt,
  endRebuild,
  moveRebuild,
  type OpenRebuild,
  readSinkOffsets,
  restartSinks,
} from "@headwater/guard/clickHouseWitness/rebuilds";
import { establishIdentity } from "@headwater/guard/clickHouseWitness/witnessStores";
import type { Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { readRelayProgress } from "@headwater/postgres/outbox/outbox";
import { emitPresent } from "@headwater/records/changeEvents/emitPresent";
import type { PresentCursor } from "@headwater/records/writing/presentKeys";
import type { RebuildPlan, RebuiltStream } from "./planRebuild.ts";

export interface RebuildPorts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly clickhouseUrl: string;
  readonly cluster: string | undefined;
  readonly logger: Logger;
  readonly onStep: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Position from which an interrupted rebuild continues. */
interface Progress {
  readonly cursor?: PresentCursor;
  readonly events?: number;
  readonly isEmitted?: boolean;
}

const POLL_MS = 500;
/** A claimed range is not sent after 30 s, and a statement takes 30 s at most. */
const CLAIMS_WAIT_MS = 65_000;
const SAID_EVERY_MS = 5_000;
/** The relay publishes some thousand rows a second: more are not put before what people write meanwhile. */
const OUTBOX_ROWS_MAX = 2_000;

/**
 * Makes ClickHouse again: clears what cannot be continued, lets the sinks write the log again, emits the present state where the log
 * does not reach back, and waits until the sinks are where they were. Each step may be done twice, so that an interrupted rebuild
 * continues where it was.
 */
export async function rebuildClickHouse(ports: RebuildPorts, open: OpenRebuild): Promise<{ readonly events: number }> {
  const { postgres, onStep } = ports;
  const plan: RebuildPlan = JSON.parse(open.plan);
  let progress: Progress = JSON.parse(open.progress);
  if (open.phase === "clearing") {
    onStep(`rebuild ${open.epoch}: waiting for ranges that are being inserted`);
    await untilNothingIsClaimed(ports, plan);
    onStep(`rebuild ${open.epoch}: preparing the tables`);
    await prepareTables(ports, plan);
    await restart(postgres, open.epoch, plan);
  }
  await establishIdentity(postgres, ports.clickhouse, randomUUID());
  if (plan.emitsState && progress.isEmitted !== true) progress = await emitState(ports, open.epoch, progress);
  await untilPublished(ports);
  await untilCaughtUp(ports, open.epoch, await targetsOf(postgres, plan));
  const { events = 0 } = progress;
  await endRebuild(postgres, open.epoch, JSON.stringify({ events }));
  return { events };
}

async function untilNothingIsClaimed({ postgres, signal }: RebuildPorts, plan: RebuildPlan): Promise<void> {
  const groups = groupsOf(plan);
  const deadlineMs = Date.now() + CLAIMS_WAIT_MS;
  // A sink that passed its check a moment ago claims after the first look.
  for (let free = 0; free < 3 && Date.now() < deadlineMs; ) {
    const isClaimed = (await readSinkOffsets(postgres, groups)).some(({ isPending }) => isPending);
    free = isClaimed ? 0 : free + 1;
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function prepareTables(ports: RebuildPorts, { isCopy, emitsState }: RebuildPlan): Promise<void> {
  const { clickhouse, clickhouseUrl: url, cluster, logger } = ports;
  await migrateClickHouse({ url, logger, ...(cluster !== undefined && { cluster }) });
  await dropStagingTables(clickhouse, cluster);
  if (!isCopy) await clearStore(clickhouse, { tables: "all", cluster });
  else if (emitsState) await clearStore(clickhouse, { tables: "present", cluster });
}

function restart(postgres: Postgres, epoch: number, { streams, emitsState }: RebuildPlan): Promise<void> {
  return postgres.transaction(async (transaction) => {
    await restartSinks(transaction, streams);
    await renewIdentity(transaction, randomUUID());
    if (emitsState) await beginHistoryAt(transaction, Date.now());
    await moveRebuild(transaction, epoch, { phase: "replaying", progress: "{}" });
  });
}

/** Page by page, each with its cursor in one transaction: what was emitted is not emitted again. */
async function emitState(
  { postgres, onStep, signal }: RebuildPorts,
  epoch: number,
  begun: Progress,
): Promise<Progress> {
  const accounts = new Map((await listAccounts(postgres)).map((account) => [account.number, account]));
  let progress = begun;
  for (let saidAtMs = 0; progress.isEmitted !== true; ) {
    await untilOutboxHasSpace(postgres, signal);
    progress = await postgres.transaction(async (transaction) => {
      const page = await emitPresent(transaction, progress.cursor, accounts);
      const events = (progress.events ?? 0) + (page?.events ?? 0);
      const next = page === undefined ? { events, isEmitted: true } : { cursor: page.cursor, events };
      await moveRebuild(transaction, epoch, { phase: "replaying", progress: JSON.stringify(next) });
      return next;
    });
    if (Date.now() - saidAtMs < SAID_EVERY_MS && progress.isEmitted !== true) continue;
    saidAtMs = Date.now();
    onStep(`rebuild ${epoch}: ${progress.events ?? 0} change events emitted from Postgres`);
  }
  return progress;
}

async function untilOutboxHasSpace(postgres: Postgres, signal: AbortSignal): Promise<void> {
  while ((await outboxRows(postgres)) > OUTBOX_ROWS_MAX) await sleep(POLL_MS, undefined, { signal });
}

async function outboxRows(postgres: Postgres): Promise<number> {
  const text = `SELECT count(*)::int AS rows FROM (SELECT FROM outbox LIMIT ${OUTBOX_ROWS_MAX + 1}) AS waiting`;
  const [row] = await postgres.query<{ rows: number }>({ text });
  return row?.rows ?? 0;
}

/** Waits until the relay has published everything that is in the outbox now. */
async function untilPublished({ postgres, signal }: RebuildPorts): Promise<void> {
  const text = "SELECT max(position)::bigint AS last FROM outbox";
  const left = "SELECT count(*)::int AS rows FROM outbox WHERE position <= $1::bigint";
  const [row] = await postgres.query<{ last: number | null }>({ text });
  const last = row?.last ?? null;
  if (last === null) return;
  for (;;) {
    const [waiting] = await postgres.query<{ rows: number }>({ text: left }, [last]);
    if ((waiting?.rows ?? 0) === 0) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Adds what the relay has published since to where the sinks were before. */
async function targetsOf(postgres: Postgres, { streams }: RebuildPlan): Promise<readonly RebuiltStream[]> {
  const { offsets } = await readRelayProgress(postgres);
  return streams.map((stream) => {
    if (stream.group !== HISTORY_GROUP) return stream;
    const published = offsets[stream.topic]?.[stream.partition] ?? 0;
    return { ...stream, target: Math.max(stream.target, published) };
  });
}

async function untilCaughtUp(
  { postgres, onStep, signal }: RebuildPorts,
  epoch: number,
  targets: readonly RebuiltStream[],
): Promise<void> {
  for (let saidAtMs = 0; ; ) {
    const now = await readSinkOffsets(postgres, [...new Set(targets.map(({ group }) => group))]);
    const left = targets.reduce((sum, target) => {
      const row = now.find(
        (one) => one.group === target.group && one.topic === target.topic && one.partition === target.partition,
      );
      return sum + Math.max(0, target.target - (row?.nextOffset ?? 0));
    }, 0);
    if (left === 0) return;
    if (Date.now() - saidAtMs >= SAID_EVERY_MS) {
      saidAtMs = Date.now();
      onStep(`rebuild ${epoch}: ${left} frames of the log are left`);
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

function groupsOf({ streams }: RebuildPlan): string[] {
  return [...new Set(streams.map(({ group }) => group))];
}
