import { createHash } from "node:crypto";
import { CHANGE_TOPICS, HISTORY_GROUP } from "@headwater/contracts";
import type { AdoptedGroup, Adoption } from "@headwater/intake/adoption/adoption";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import { type LogFrame, type LogReader, printOf, type Watermarks } from "@headwater/topics";

/** Facts that a plan rests on besides the log and the offsets of the groups. */
export interface AdoptionFacts {
  /** Time at which the adopted log begins, while it holds nothing yet. */
  readonly nowMs: number;
  /** Next offset that the relay has marked as published; undefined for partitions that it does not write. */
  readonly published: number | undefined;
}

/**
 * Plans how a partition's groups go on where its log is not the one that they read.
 * @returns undefined when it is the one that they read.
 */
export async function planAdoption(
  partition: LoggedPartition,
  rows: readonly OpenOffset[],
  { nowMs, published }: AdoptionFacts,
): Promise<Adoption | undefined> {
  const others: OpenOffset[] = [];
  for (const row of rows) if (!(await isSameLog(partition, row))) others.push(row);
  if (others.length === 0) return undefined;
  const { low } = partition.watermarks;
  const isPassed = others.every(({ nextOffset }) => nextOffset < low);
  const kind = isPassed && (await isFormerLog(partition, others)) ? "retention" : "cut";
  const first = kind === "retention" ? low : await firstOther(partition, others);
  const frame = await frameAt(partition, first);
  const groups: AdoptedGroup[] = [];
  for (const { group, nextOffset } of rows) {
    const to = Math.max(low, Math.min(nextOffset, first));
    groups.push({ group, from: nextOffset, to, mark: await markBefore(partition, to) });
  }
  const generation = Math.max(...rows.map((row) => row.generation)) + 1;
  const at = { topic: partition.topic, partition: partition.watermarks.partition, kind, generation } as const;
  const adoption: Adoption = {
    ...at,
    firstOffset: first,
    startsAt: frame?.timeMs ?? nowMs,
    groups: togetherWithState(groups),
    ...moveOf(published, partition.watermarks),
  };
  const history = groups.find(({ group }) => group === HISTORY_GROUP);
  const isHistoryLost = history !== undefined && isChangeTopic(adoption) && lostMessages(adoption, history) !== 0;
  return isHistoryLost ? { ...adoption, isHistoryLost } : adoption;
}

export function isChangeTopic({ topic }: Pick<Adoption, "topic">): boolean {
  return CHANGE_TOPICS.some((name) => name === topic);
}

/** A mark above the end is of the former log: the relay lowers it with the first message that it publishes to another one. */
function moveOf(published: number | undefined, { high }: LoggedPartition["watermarks"]): Pick<Adoption, "published"> {
  return published !== undefined && published > high ? { published: { from: published, to: high } } : {};
}

/**
 * Counts messages of a change topic that were published and that the log lost before a group had read them; 0 where all were read.
 * @returns undefined when nobody knows: the relay has published to the adopted log since, and its offset of the former one is gone.
 */
export function lostMessages(
  { kind, firstOffset, published }: Adoption,
  { from }: Pick<AdoptedGroup, "from">,
): number | undefined {
  if (kind === "cut" && published === undefined) return undefined;
  const end = kind === "retention" ? firstOffset : (published?.from ?? 0);
  const begin = kind === "retention" ? from : Math.max(from, firstOffset);
  return Math.max(0, end - begin);
}

/** Finds the first offset at which a log differs from what any of the groups read. */
async function firstOther(partition: LoggedPartition, others: readonly OpenOffset[]): Promise<number> {
  let first = Number.POSITIVE_INFINITY;
  for (const row of others) first = Math.min(first, await findCut(partition, row));
  return first;
}

/** A log whose first kept frame is of no earlier epoch than what was read is the same log: retention has only cut its beginning. */
async function isFormerLog(partition: LoggedPartition, others: readonly OpenOffset[]): Promise<boolean> {
  const frame = await frameAt(partition, partition.watermarks.low);
  const epochs = others.map(({ mark }) => mark?.epoch ?? undefined);
  return epochs.every((epoch) => epoch === undefined || frame?.epoch === undefined || frame.epoch >= epoch);
}

/** The count of the log begins again where `state` goes on: what is before it has an outcome, or is lost. */
function togetherWithState(groups: readonly AdoptedGroup[]): readonly AdoptedGroup[] {
  const state = groups.find(({ group }) => group === "state");
  return groups.map((row) => (row.group === "accounting" && state ? { ...row, to: state.to, mark: state.mark } : row));
}

async function markBefore(partition: LoggedPartition, offset: number): Promise<OffsetMark | null> {
  const frame = offset > partition.watermarks.low ? await frameAt(partition, offset - 1) : undefined;
  return frame === undefined ? null : { print: printOf(frame), epoch: frame.epoch ?? null };
}

/** Returns the digest of all that a preview rests on, except the time it was made at. */
export function digestOf(adoptions: readonly Adoption[]): string {
  const seen = adoptions.map(({ topic, partition, generation, firstOffset, kind, groups, published }) => ({
    at: [topic, partition, generation, firstOffset, kind, published?.from ?? null],
    groups: groups.map(({ group, from, to, mark }) => [group, from, to, mark?.print ?? ""]),
  }));
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
}

/** A partition, as the log has it. */
interface LoggedPartition {
  readonly topic: string;
  readonly watermarks: Watermarks;
  readonly log: Pick<LogReader, "frames">;
}

/** Progress of one group in a partition, and the frame it read last. */
interface ReadUpTo {
  readonly nextOffset: number;
  readonly greatestTime: number;
  readonly mark: OffsetMark | null;
}

/** Returns whether the log still holds what the group read last: else it is another log. */
async function isSameLog(partition: LoggedPartition, { nextOffset, mark }: ReadUpTo): Promise<boolean> {
  const { low, high } = partition.watermarks;
  if (nextOffset < low || nextOffset > high) return false;
  if (mark === null || nextOffset - 1 < low) return true;
  const frame = await frameAt(partition, nextOffset - 1);
  return frame !== undefined && printOf(frame) === mark.print;
}

/**
 * The first offset that holds another frame than the group read there. Leader epochs never fall, and each loss of a tail begins a new
 * one, so it is the first frame of a later epoch; where epochs are not known, or are those of a restored copy, the first that was
 * appended after all that was read. Found by halving: some twenty reads.
 */
async function findCut(partition: LoggedPartition, read: ReadUpTo): Promise<number> {
  let [same, other] = [partition.watermarks.low, Math.min(read.nextOffset, partition.watermarks.high)];
  while (same < other) {
    const middle = Math.floor((same + other) / 2);
    const frame = await frameAt(partition, middle);
    if (frame === undefined || isLater(frame, read)) other = middle;
    else same = middle + 1;
  }
  return same;
}

function isLater(frame: LogFrame, { mark, greatestTime }: ReadUpTo): boolean {
  const epoch = mark?.epoch ?? undefined;
  return (epoch !== undefined && frame.epoch !== undefined && frame.epoch > epoch) || frame.timeMs > greatestTime;
}

async function frameAt({ topic, watermarks, log }: LoggedPartition, offset: number): Promise<LogFrame | undefined> {
  const [frame] = await log.frames({ topic, partition: watermarks.partition, offset });
  return frame?.offset === offset ? frame : undefined;
}
