import { isInfrastructure } from "@headwater/kernel";
import type { PartitionOffset } from "../consumer/streamSource.ts";
import type { LogReader } from "./logReader.ts";

/** The next frames of a partition, as far as one read returns them. */
export interface FrameSample {
  /** Append time of the first one, milliseconds since 1970. */
  readonly firstMs: number;
  readonly frames: number;
  /** Records in them; a message that is not a frame of ours counts as one. */
  readonly records: number;
}

const SAMPLE_BYTES = 64 * 1024;
const FRAMES_MAX = 64;
const STORED_MAX = 1_000;
/** The magic byte and the schema's id stand before the JSON text. */
const WIRE_HEADER_BYTES = 5;

/**
 * Creates what reads how old the next frames of a partition are and how many records they hold, without a group. What lies at an offset does
 * not change, so a stream that stands is read once.
 */
export function createLogSamples(reader: Pick<LogReader, "frames">) {
  const stored = new Map<string, FrameSample>();
  /** @returns undefined where the log holds nothing there, or cannot be read: a lag without it is still a lag. */
  return async (at: PartitionOffset): Promise<FrameSample | undefined> => {
    const name = `${at.topic}/${at.partition}/${at.offset}`;
    const known = stored.get(name);
    if (known !== undefined) return known;
    const sample = await readSample(reader, at).catch(unlessUnavailable);
    if (sample === undefined) return undefined;
    if (stored.size >= STORED_MAX) stored.clear();
    stored.set(name, sample);
    return sample;
  };
}

/** Passes over an error that says that the log cannot be read now. @throws any other one. */
function unlessUnavailable(error: unknown): undefined {
  if (!isInfrastructure(error)) throw error;
}

async function readSample(reader: Pick<LogReader, "frames">, at: PartitionOffset): Promise<FrameSample | undefined> {
  const frames = (await reader.frames(at, SAMPLE_BYTES)).slice(0, FRAMES_MAX);
  const [first] = frames;
  if (first === undefined) return undefined;
  const records = frames.reduce((sum, { value }) => sum + recordsOf(value), 0);
  return { firstMs: first.timeMs, frames: frames.length, records };
}

function recordsOf(value: Buffer): number {
  try {
    const frame: unknown = JSON.parse(value.toString("utf8", WIRE_HEADER_BYTES));
    if (typeof frame !== "object" || frame === null || !("records" in frame)) return 1;
    return Array.isArray(frame.records) ? frame.records.length : 1;
  } catch {
    return 1;
  }
}
