import type { Clock, Counter, Logger } from "@headwater/kernel";
import type { Outcome } from "@headwater/records/fold/outcome";
import {
  type BatchContext,
  type Codec,
  type LogFrame,
  LogMismatch,
  type NextPosition,
  type StartOf,
  type StreamBatch,
  type StreamHandler,
  type StreamStart,
} from "@headwater/topics";
import { markToStore, reopened, storedMark } from "../streams/offsets.ts";
import { traceFrames } from "../streams/traceFrames.ts";
import type { AccountCache } from "./accountCache.ts";
import { ActivityWindow } from "./activityWindow.ts";
import { applyBatch } from "./applyBatch.ts";
import { mayBeRefused, type PartitionState, type Refusals, rebuild, refusalKey } from "./partitionState.ts";
import { type AccountSource, type ReadFrame, readFrames } from "./readFrames.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateStore } from "./stateStore.ts";

/** Records of one transaction: enough to share its cost, few enough to hold locks briefly. */
const BATCH_RECORDS_MAX = 2_000;

export interface StateHandlerOptions {
  readonly state: StateStore;
  readonly codec: Pick<Codec, "decode">;
  readonly accounts: AccountSource & Pick<AccountCache, "catchUp">;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Times that a record of an unknown contact waits before each further attempt. */
  readonly parkedForMs: readonly number[];
  readonly outcomes: Counter<"operation" | "outcome">;
  /** Called with the number of triggers with which activities of a batch were not compared because that cost too much. */
  readonly onUncompared: (triggers: number) => void;
  /** Called with the number of messages and records of a batch that were quarantined. */
  readonly onQuarantined?: (records: number) => void;
  /** Called after every commit, so that relay and activities need not wait for their next check. */
  readonly onStored: () => void;
}

/** Folds intake topics into the state, each batch in one transaction with its offset. */
export function createStateHandler(options: StateHandlerOptions): StreamHandler {
  const partitions = new Map<string, PartitionState>();
  const open = async (at: StartOf): Promise<StreamStart> => {
    const state = await openPartition(options.state, at);
    partitions.set(`${at.topic}/${at.partition}`, state);
    const fromOffset = Math.max(at.low, Math.min(state.windowFrom, state.nextOffset - 1));
    return { fromOffset, mark: state.mark, generation: state.key.generation };
  };
  return reopened({
    start: open,
    held: (at, reason) => options.state.held(at, reason),
    verified: (at) => options.state.verified(at),
    async batch(batch, context) {
      const state = partitions.get(`${batch.topic}/${batch.partition}`);
      if (state === undefined) throw new Error(`${batch.topic}/${batch.partition} was not started`);
      const next = await handleFrames(options, { state, batch, context });
      if (next.kind !== "seek") return next;
      // Another owner continued from here: what is remembered is no longer true, so the partition is opened again.
      const { fromOffset } = await open({ ...batch, low: state.low, high: Number.MAX_SAFE_INTEGER });
      return { kind: "seek", offset: fromOffset };
    },
  });
}

async function openPartition(store: StateStore, at: StartOf): Promise<PartitionState> {
  const row = await store.open(at);
  const { nextOffset, greatestTime, lastRecordId, windowFrom } = row;
  if (nextOffset > at.high || nextOffset < at.low) {
    throw logIsAnother(`${at.topic}/${at.partition} holds ${at.low} to ${at.high}, and ${nextOffset} is next`);
  }
  // The frame before the stored offset is read again in any case, to see that the log is the same.
  const from = Math.min(windowFrom, nextOffset - 1);
  const range = { topic: at.topic, partition: at.partition, from, to: nextOffset };
  const refused = await store.refusedPositions(range);
  const refusedBefore = new Set(refused.map(({ logOffset, place: position }) => `${logOffset}:${position}`));
  const { low } = at;
  const window = new ActivityWindow();
  const key = store.keyOf(at);
  const mark = storedMark(row);
  return { key, low, nextOffset, greatestTime, lastRecordId, windowFrom, window, refusedBefore, mark };
}

interface FramesOfPartition {
  readonly state: PartitionState;
  readonly batch: StreamBatch;
  readonly context: BatchContext;
}

/** Reads frames into a batch, has it applied, and advances what is remembered of the partition. */
async function handleFrames(options: StateHandlerOptions, input: FramesOfPartition): Promise<NextPosition> {
  const { state, batch, context } = input;
  const { topic, partition } = batch;
  const { greatestTime, nextOffset } = state;
  const reading = { ...options, topic, partition, greatestTime, nextOffset, recordsMax: BATCH_RECORDS_MAX };
  await options.accounts.catchUp(batch.frames[batch.frames.length - 1]?.timeMs ?? 0);
  const read = await readFrames(reading, batch.frames);
  const old = read.filter(({ offset }) => offset < state.nextOffset);
  const mismatch = rebuild(state, old, await readRefusals(options.state, old));
  if (mismatch !== undefined) throw logIsAnother(`${topic}/${partition}: ${mismatch}`);
  const frames = read.slice(old.length);
  const first = frames[0];
  const last = frames[frames.length - 1];
  if (first === undefined || last === undefined) return { kind: "next", offset: nextOf(batch) };
  const stateBatch = toStateBatch(options, state, { frames, logged: batch.frames });
  await options.state.define(stateBatch.records);
  const result = await applyBatch({ ...options, heartbeat: () => context.heartbeat() }, stateBatch);
  if (result.kind === "seek") return result;
  const { after, records } = result.batch;
  traceFrames("state", batch.frames.slice(old.length), { startedAtMs: stateBatch.nowMs, below: after.nextOffset });
  state.window.advance(first.offset, records.length, result.activityKeys);
  state.nextOffset = after.nextOffset;
  state.greatestTime = after.greatestTime;
  count(options, result.batch, result.outcomes);
  reportQuarantined(options, result.batch, result.outcomes);
  if (result.uncompared > 0) options.onUncompared(result.uncompared);
  options.onStored();
  return { kind: "next", offset: after.nextOffset };
}

async function readRefusals(store: StateStore, frames: readonly ReadFrame[]): Promise<Refusals> {
  const rows = await store.refusalStatuses(mayBeRefused(frames));
  return new Map(rows.map((row) => [refusalKey(row), row.status]));
}

function nextOf({ frames }: StreamBatch): number {
  return (frames[frames.length - 1]?.offset ?? 0) + 1;
}

/** A batch that is too large is tried again with an eighth: what ends it may take half a minute each time. */
const FEWER = 8;

function fewerOf(count: number): number {
  return Math.ceil(count / FEWER);
}

interface FramesToApply {
  readonly frames: readonly ReadFrame[];
  /** They as the log holds them, and perhaps more. */
  readonly logged: readonly LogFrame[];
}

function toStateBatch(options: StateHandlerOptions, state: PartitionState, read: FramesToApply): StateBatch {
  const { frames, logged } = read;
  const records = frames.flatMap((frame) => frame.records);
  const last = frames[frames.length - 1];
  const nextOffset = (last?.offset ?? state.nextOffset) + 1;
  // Where the frames begin, not where they were expected to: the stored offset refuses a batch that begins above it.
  const fromOffset = frames[0]?.offset ?? state.nextOffset;
  return {
    key: state.key,
    fromOffset,
    records,
    undecodable: frames.flatMap(({ undecodable }) => undecodable),
    accounts: new Map(records.map(({ account }) => [account.number, account])),
    after: {
      nextOffset,
      lastRecordId: last?.records[last.records.length - 1]?.record.id ?? null,
      greatestTime: last?.timeMs ?? state.greatestTime,
      mark: markToStore(logged, nextOffset),
    },
    seenActivity: (key) => state.window.has(key),
    nowMs: options.clock.nowMs(),
    parkedForMs: options.parkedForMs,
    firstFrames: () =>
      frames.length > 1
        ? toStateBatch(options, state, { frames: frames.slice(0, fewerOf(frames.length)), logged })
        : undefined,
    windowFrom: (keys) => state.window.from ?? (keys.size > 0 ? fromOffset : nextOffset),
  };
}

function count(
  { outcomes: counter }: StateHandlerOptions,
  { records }: StateBatch,
  outcomes: readonly Outcome[],
): void {
  const counts = new Map<string, Record<Outcome["kind"], number>>();
  outcomes.forEach(({ kind }, index) => {
    const operation = records[index]?.operation.name ?? "";
    let ofOperation = counts.get(operation);
    if (ofOperation === undefined) {
      ofOperation = { applied: 0, skipped: 0, rejected: 0 };
      counts.set(operation, ofOperation);
    }
    ofOperation[kind]++;
  });
  for (const [operation, ofOperation] of counts) {
    for (const [outcome, count] of Object.entries(ofOperation))
      if (count > 0) counter.inc({ operation, outcome }, count);
  }
}

const REPORTED_MAX = 20;

/** Alarms operators of foreign messages, some of a batch in the log and all in the count. Records are in the log already. */
function reportQuarantined(
  { logger, onQuarantined }: StateHandlerOptions,
  { key, undecodable }: StateBatch,
  outcomes: readonly Outcome[],
): void {
  const { group, topic, partition } = key;
  for (const { offset, reason } of undecodable.slice(0, REPORTED_MAX)) {
    logger.error(
      { group, topic, partition, offset, reason },
      "poison record quarantined: the message cannot be decoded",
    );
  }
  const failed = outcomes.filter((outcome) => outcome.kind === "rejected" && outcome.code === "INTERNAL_ERROR").length;
  if (undecodable.length + failed > 0) onQuarantined?.(undecodable.length + failed);
}

/** Frames below the stored offset are no longer those that were applied, or there are none any more. */
function logIsAnother(what: string): LogMismatch {
  return new LogMismatch(`The log has a gap: ${what}. Nothing was applied.`);
}
