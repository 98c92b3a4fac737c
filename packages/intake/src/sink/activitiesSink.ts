import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { readFromCurrentReplica } from "@headwater/clickhouse/currentReplica";
import { ACTIVITIES_GROUP, STATE_GROUP, streamOfTopic, ZERO_VERSION } from "@headwater/contracts";
import { type Clock, classifyFailure } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { readResolutions } from "@headwater/postgres/streams/activityResolutions";
import { createOffsetsWatch } from "@headwater/postgres/streams/offsetsWatch";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { Codec, LogFrame, TopicPartition } from "@headwater/topics";
import { LogMismatch, printOf, type StreamBatch } from "@headwater/topics";
import { readQuarantined } from "../deadLetters/quarantine.ts";
import { readRejectPositions } from "../deadLetters/rejects.ts";
import { subjectOf } from "../operations/jsonSchema.ts";
import { openResolutions } from "../state/activityResolutions.ts";
import { storedMark } from "../streams/offsets.ts";
import { readIntakeFrame } from "../streams/readIntakeFrame.ts";
import { type AccountFacts, ActivityItem } from "./activityItem.ts";
import { findErasedRows } from "./erasedRows.ts";
import { type Path, RangeGone, type Sink } from "./sink.ts";
import { createSink } from "./toBlocks.ts";

const OPERATION = "createContactactivities";
const SUBJECT = subjectOf({ name: OPERATION });

export interface ActivitiesSinkOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly codec: Pick<Codec, "decode" | "peekSubject">;
  readonly clock: Clock;
  readonly account: (id: string) => Promise<AccountFacts | undefined>;
}

/** Activities as `state` resolved them: one row each, never ahead of it. */
export function createActivitiesSink(options: ActivitiesSinkOptions): Sink {
  const { postgres, clickhouse } = options;
  const stateOffsets = createOffsetsWatch(postgres, [STATE_GROUP], options.clock);
  return createSink({
    group: ACTIVITIES_GROUP,
    // 1 knew no shared claims; before 3, dotted names of inner objects stayed flat: their tokens and positions are the same.
    transform: 3,
    finishes: [1, 2, 3],
    firstTables: [],
    isCounted: true,
    readable: async (batch) => {
      const state = rowOf(await stateOffsets.offsets(), batch);
      if (state === undefined) return 0;
      expectSameLog(batch, state);
      return state.nextOffset;
    },
    followed: async (row) => {
      const state = rowOf(await stateOffsets.offsets(), row);
      const isFurther = state?.generation === row.generation && state.nextOffset > row.nextOffset;
      return isFurther ? storedMark(state) : undefined;
    },
    read: (key, frames) => readActivities(options, key, frames),
    stored: async (key, { from, to }) => {
      const { generation, partition } = key;
      const params = { lane: streamOfTopic(key.topic), generation, partition, from, to };
      const query = { table: "activities", sql: storedPositions, params };
      const { places: positions } = await readFromCurrentReplica<{ places: readonly (readonly [number, number])[] }>(
        clickhouse,
        query,
      );
      return new Set(positions.map(([offset, position]): Path => `${offset}:${position}`));
    },
  });
}

function rowOf(rows: readonly OpenOffset[], { topic, partition }: TopicPartition): OpenOffset | undefined {
  return rows.find((row) => row.topic === topic && row.partition === partition);
}

const storedPositions = `SELECT groupArray((log_offset, place)) AS places FROM activities
  WHERE lane = {lane: UInt8} AND topic_generation = {generation: UInt16} AND partition = {partition: UInt16}
    AND log_offset >= {from: UInt64} AND log_offset < {to: UInt64}`;

/** @throws RangeGone when resolutions are missing that `state` has written. */
async function readActivities(
  options: ActivitiesSinkOptions,
  key: OffsetKey,
  frames: readonly LogFrame[],
): Promise<readonly ActivityItem[]> {
  const { postgres } = options;
  const from = frames[0]?.offset ?? 0;
  const to = (frames[frames.length - 1]?.offset ?? 0) + 1;
  const [resolutions, quarantined] = await Promise.all([
    readResolutions(postgres, key, from, to),
    readQuarantined(postgres, key, { from, to }),
  ]);
  const contactOf = openResolutions(resolutions);
  const without = new Set(quarantined.map(({ offset, place }) => `${offset}:${place}`));
  const items: ActivityItem[] = [];
  const unresolved: number[] = [];
  for (const frame of frames) {
    const read = await readActivityFrame(options, frame);
    for (const [index, record] of (read?.records ?? []).entries()) {
      if (read === undefined || record === undefined) continue;
      const contact = contactOf(frame.offset, index);
      if (contact === undefined) unresolved.push(frame.offset);
      else if (contact !== 0 && !without.has(`${frame.offset}:${index}`)) {
        items.push(new ActivityItem(record, { account: read.account, contact, key, frame, place: index }));
      }
    }
  }
  await expectRefused(postgres, key, { from, to, unresolved });
  return withoutErased(postgres, items);
}

/** @returns undefined for a frame that holds no activities of an account there is: `state` refused it whole. */
async function readActivityFrame({ codec, account: find }: ActivitiesSinkOptions, { value }: LogFrame) {
  const peeked = codec.peekSubject(value);
  if (peeked !== undefined && peeked !== SUBJECT) return undefined;
  const read = await readIntakeFrame(codec, value).catch(unlessPoison);
  if (read?.kind !== "frame" || read.operation.name !== OPERATION) return undefined;
  const account = await find(read.account).catch(unlessPoison);
  return account === undefined ? undefined : { account, records: read.records };
}

/** Drops an error of the message itself: it was thrown in `state` too, which has refused the message whole. */
function unlessPoison(error: unknown): undefined {
  if (classifyFailure(error) !== "poison") throw error;
  return undefined;
}

/**
 * Frames without resolutions are those that `state` refused whole, such as one of an account that was made a moment later: each
 * has its dead letter. Without one, another owner has finished the range and cleared its resolutions.
 */
async function expectRefused(
  postgres: Postgres,
  { topic, partition }: OffsetKey,
  { from, to, unresolved }: { readonly from: number; readonly to: number; readonly unresolved: readonly number[] },
): Promise<void> {
  if (unresolved.length === 0) return;
  const refused = new Set(
    (await readRejectPositions(postgres, { topic, partition, from, to })).map((row) => row.logOffset),
  );
  const missing = unresolved.find((offset) => !refused.has(offset));
  if (missing !== undefined) throw new RangeGone(`no resolution for ${topic}/${partition} ${missing}`);
}

/**
 * A range that is sent again may so have fewer rows than when it was sent first, under the same token: then either these are
 * all there and the erasure deletes them, or they never come.
 */
async function withoutErased(postgres: Postgres, items: readonly ActivityItem[]): Promise<readonly ActivityItem[]> {
  const keyOf = ({ account, contact }: ActivityItem) => ({ account, kind: "contact", key: String(contact) }) as const;
  const accounts = new Set(items.map(({ account }) => account));
  const isErased = await findErasedRows(postgres, accounts, () => items.values().map(keyOf));
  return isErased === undefined ? items : items.filter((one) => !isErased({ ...keyOf(one), version: ZERO_VERSION }));
}

/**
 * Expects that frames are those which another group dealt with below its offset. Epochs never fall within a log: a frame of a later
 * one than the last that was dealt with was written after a leader had lost it.
 * @throws LogMismatch.
 */
export function expectSameLog(
  { topic, partition, frames }: StreamBatch,
  { group, nextOffset, mark }: Pick<OpenOffset, "group" | "nextOffset" | "mark">,
): void {
  if (mark === null) return;
  const isAnother = frames.some(
    (frame) =>
      (frame.offset === nextOffset - 1 && printOf(frame) !== mark.print) ||
      (frame.offset < nextOffset && (frame.epoch ?? 0) > (mark.epoch ?? Number.POSITIVE_INFINITY)),
  );
  if (isAnother) {
    throw new LogMismatch(
      `${topic}/${partition} holds other frames below offset ${nextOffset} than ${group} has read. The log was truncated or its topic recreated.`,
    );
  }
}
