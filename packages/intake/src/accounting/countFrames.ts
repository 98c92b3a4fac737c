import { classifyFailure } from "@headwater/kernel";
import type { Codec, LogFrame } from "@headwater/topics";
import { isTriedAgain } from "../state/loggedRecord.ts";
import { hourOf } from "../state/outcomeCounts.ts";
import type { AccountSource } from "../state/readFrames.ts";
import { readIntakeFrame } from "../streams/readIntakeFrame.ts";
import type { FrameCount, LogBatch, LogCount } from "./accounting.ts";

/** Owner of messages that nobody can read. */
const NOBODY = { account: 0, operation: "" } as const;

export interface Counting {
  readonly codec: Pick<Codec, "decode">;
  readonly accounts: AccountSource;
}

type Counted = Omit<LogBatch, "madeAt"> & { readonly lastTime: number };

/** Records of at least one frame by account, hour and operation, and again frame by frame. */
export async function countFrames(frames: readonly LogFrame[], counting: Counting): Promise<Counted> {
  const firstOffset = frames[0]?.offset ?? 0;
  const baseTime = frames[0]?.timeMs ?? 0;
  const lines = new Map<string, number>();
  const counts: { account: number; hour: number; operation: string; records: number }[] = [];
  const indexOf = ({ account, hour, operation }: Omit<LogCount, "records">): number => {
    const key = `${account} ${hour} ${operation}`;
    const index = lines.get(key) ?? counts.push({ account, hour, operation, records: 0 }) - 1;
    lines.set(key, index);
    return index;
  };
  const counted: FrameCount[] = [];
  for (const frame of frames) {
    const sums = new Map<number, number>();
    for (const key of await recordsOf(frame, counting)) {
      const index = indexOf(key);
      sums.set(index, (sums.get(index) ?? 0) + 1);
      const line = counts[index];
      if (line !== undefined) line.records += 1;
    }
    counted.push([frame.offset - firstOffset, frame.timeMs - baseTime, [...sums]]);
  }
  const last = frames[frames.length - 1];
  const nextOffset = (last?.offset ?? firstOffset - 1) + 1;
  return { firstOffset, nextOffset, baseTime, counts, frames: counted, lastTime: last?.timeMs ?? baseTime };
}

/**
 * A message that is no frame of a known account counts as one record of nobody, and so does a member of a frame that is no
 * record: `state` refuses each as one.
 */
async function recordsOf(frame: LogFrame, counting: Counting): Promise<Omit<LogCount, "records">[]> {
  const unreadable = { ...NOBODY, hour: hourOf(frame.timeMs) };
  const read = await readOrNothing(frame, counting);
  if (read === undefined) return [unreadable];
  const { operation, account, records } = read;
  return records.flatMap((record) => {
    if (record === undefined) return [unreadable];
    // A parked record that comes again was counted when it came first.
    return isTriedAgain(record) ? [] : [{ account, hour: hourOf(record.receivedAt), operation }];
  });
}

async function readOrNothing({ value }: LogFrame, { codec, accounts }: Counting) {
  try {
    const read = await readIntakeFrame(codec, value);
    const account = read.kind === "frame" ? await accounts.byId(read.account) : undefined;
    if (read.kind === "unreadable" || account === undefined) return undefined;
    return { operation: read.operation.name, account: account.number, records: read.records };
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return undefined;
  }
}
