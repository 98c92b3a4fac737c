import { parseTime, ZERO_VERSION } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import type { CreateContactactivitiesRecord } from "@headwater/operations";
import {
  type ClickHouse,
  createOffsetsWatch,
  createRowBinary,
  deleteHandover,
  type OffsetKey,
  type Postgres,
  type RowBinary,
  readHandover,
} from "@headwater/stores";
import type { Codec, LogFrame } from "@headwater/topics";
import { laneOf } from "../state/readFrames.ts";
import { INTAKE_GENERATION, STATE_GROUP } from "../state/stateHandler.ts";
import { openVerdicts } from "../state/verdicts.ts";
import { findErasedRows } from "./erasedRows.ts";
import { nestDotted } from "./nestDotted.ts";
import { type Place, RangeGone, type Sink, type SinkBlock } from "./sink.ts";

export const ACTIVITIES_GROUP = "activities";
const SUBJECT = "intake.createContactactivities";

const columns = [
  "account",
  "contact",
  "action",
  "time",
  "ingested",
  "uid",
  "record",
  "mc_id",
  "properties",
  "geo_city",
  "geo_country",
  "geo_lat",
  "geo_lon",
  "device",
  "topic_generation",
  "lane",
  "partition",
  "log_offset",
  "place",
] as const;

export interface AccountFacts {
  readonly number: number;
  readonly timezone: string;
}

export interface ActivitiesSinkOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly codec: Pick<Codec, "decode">;
  readonly clock: Clock;
  readonly account: (id: string) => Promise<AccountFacts | undefined>;
}

/** Activities as `state` resolved them: one row each, never ahead of it. */
export function createActivitiesSink(options: ActivitiesSinkOptions): Sink {
  const { postgres, clickhouse } = options;
  const stateOffsets = createOffsetsWatch(postgres, [STATE_GROUP], options.clock);
  return {
    group: ACTIVITIES_GROUP,
    generation: INTAKE_GENERATION,
    transform: 1,
    readable: async ({ topic, partition }) => {
      const offsets = await stateOffsets.offsets();
      return offsets.find((row) => row.topic === topic && row.partition === partition)?.nextOffset ?? 0;
    },
    blocks: async (key, frames, without) => [await activityBlock(options, key, frames, without)],
    stored: async (key, { from, to }) => {
      const places = await clickhouse.query<{ log_offset: number; place: number }>(storedPlaces, {
        lane: laneOf(key.topic),
        generation: key.generation,
        partition: key.partition,
        from,
        to,
      });
      return new Set(places.map(({ log_offset, place }): Place => `${log_offset}:${place}`));
    },
    done: deleteHandover,
  };
}

const storedPlaces = `SELECT log_offset, place FROM activities
  WHERE lane = {lane: UInt8} AND topic_generation = {generation: UInt16} AND partition = {partition: UInt16}
    AND log_offset >= {from: UInt64} AND log_offset < {to: UInt64}`;

async function activityBlock(
  options: ActivitiesSinkOptions,
  key: OffsetKey,
  frames: readonly LogFrame[],
  without: ReadonlySet<Place>,
): Promise<SinkBlock> {
  const rows = createRowBinary(64 * 1024);
  const from = frames[0]?.offset ?? 0;
  const to = (frames[frames.length - 1]?.offset ?? 0) + 1;
  const verdictOf = openVerdicts(await readHandover(options.postgres, key, from, to));
  const found: Found[] = [];
  for (const frame of frames) {
    const decoded = await options.codec.decode(frame.value);
    if (decoded.kind === "undecodable" || decoded.subject !== SUBJECT || !isFrame(decoded.value)) continue;
    const account = await options.account(decoded.value.account);
    // A frame of an account that does not exist was refused whole by `state`: it has no verdicts.
    if (account === undefined) continue;
    for (const [place, record] of decoded.value.records.entries()) {
      const contact = verdictOf(frame.offset, place);
      if (contact === undefined) throw new RangeGone(`no verdict for ${key.topic}/${key.partition} ${frame.offset}`);
      if (contact === 0 || without.has(`${frame.offset}:${place}`)) continue;
      found.push({ record, at: { account, contact, key, frame, place } });
    }
  }
  const kept = await withoutErased(options.postgres, found);
  for (const { record, at } of kept) writeRow(rows, record, at);
  return { table: "activities", columns, body: rows.body(), rows: kept.length };
}

interface Found {
  readonly record: CreateContactactivitiesRecord;
  readonly at: RowPlace;
}

/**
 * A range that is sent again may so have fewer rows than when it was sent first, under the same token: then either these are
 * all there and the erasure deletes them, or they never come.
 */
async function withoutErased(postgres: Postgres, found: readonly Found[]): Promise<readonly Found[]> {
  const keyOf = ({ at: { account, contact } }: Found) =>
    ({ account: account.number, kind: "contact", key: String(contact) }) as const;
  const accounts = new Set(found.map(({ at }) => at.account.number));
  const isErased = await findErasedRows(postgres, accounts, () => found.values().map(keyOf));
  return isErased === undefined ? found : found.filter((one) => !isErased({ ...keyOf(one), version: ZERO_VERSION }));
}

interface RowPlace {
  readonly account: AccountFacts;
  readonly contact: number;
  readonly key: OffsetKey;
  readonly frame: LogFrame;
  readonly place: number;
}

function writeRow(rows: RowBinary, record: CreateContactactivitiesRecord, at: RowPlace): void {
  const { event } = record;
  const { geo, device, properties } = event;
  rows.uint32(at.account.number);
  rows.int64(at.contact);
  rows.string(event.name);
  rows.int64(parseTime(event.time, at.account.timezone) ?? 0);
  rows.int64(at.frame.timeMs);
  rows.string(event.UID ?? record.id);
  rows.string(record.id);
  const mcId = properties?.mcID;
  rows.string(typeof mcId === "string" ? mcId : "");
  rows.string(properties === undefined ? "{}" : JSON.stringify(nestDotted(properties)));
  rows.string(geo?.city ?? "");
  rows.string(geo?.country ?? "");
  rows.nullableFloat64(geo?.geoLoc?.lat ?? null);
  rows.nullableFloat64(geo?.geoLoc?.lon ?? null);
  rows.string(device === undefined ? "" : JSON.stringify(device));
  rows.uint16(at.key.generation);
  rows.uint8(laneOf(at.key.topic));
  rows.uint16(at.key.partition);
  rows.int64(at.frame.offset);
  rows.uint16(at.place);
}

function isFrame(value: unknown): value is { account: string; records: readonly CreateContactactivitiesRecord[] } {
  if (typeof value !== "object" || value === null) return false;
  return "account" in value && typeof value.account === "string" && "records" in value && Array.isArray(value.records);
}
