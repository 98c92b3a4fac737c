import type { ActivityResolutions } from "@headwater/postgres/streams/activityResolutions";
import type { Outcome } from "@headwater/records/fold/outcome";
import type { LoggedRecord } from "./loggedRecord.ts";

const BYTES = 8;

/**
 * Encodes a batch's outcomes for the activities group, frame by frame, little-endian: for each frame of activities its offset
 * (less the batch's first) and the number of its records in 4 bytes each, then for each record the number of its contact,
 * or 0 for one that is left out, in 8. Frames are kept apart because a range that is written to ClickHouse may begin and
 * end in the middle of a batch.
 */
export function toResolutions(
  records: readonly LoggedRecord[],
  outcomes: readonly Outcome[],
  firstOffset: number,
): Buffer {
  const frames = new Map<number, number[]>();
  records.forEach(({ operation, offset, place: position }, index) => {
    if (operation.name !== "createContactactivities") return;
    const outcome = outcomes[index];
    const number = outcome?.kind === "applied" ? outcome.contact : 0;
    const frame = frames.get(offset) ?? [];
    frames.set(offset, frame);
    // A member of the frame that is no record has its place all the same.
    while (frame.length < position) frame.push(0);
    frame.push(number);
  });
  const size = [...frames.values()].reduce((sum, numbers) => sum + 1 + numbers.length, 0);
  const resolutions = Buffer.allocUnsafe(size * BYTES);
  let at = 0;
  for (const [offset, numbers] of frames) {
    resolutions.writeUInt32LE(offset - firstOffset, at);
    resolutions.writeUInt32LE(numbers.length, at + BYTES / 2);
    for (const [index, number] of numbers.entries()) {
      resolutions.writeBigUInt64LE(BigInt(number), at + (index + 1) * BYTES);
    }
    at += (1 + numbers.length) * BYTES;
  }
  return resolutions;
}

/** @returns the contact number of a record by its position in the log, 0 when it is left out, undefined for no resolution. */
export function openResolutions(
  batches: readonly ActivityResolutions[],
): (offset: number, place: number) => number | undefined {
  const frames = new Map<number, { readonly buffer: Buffer; readonly at: number; readonly count: number }>();
  for (const { firstOffset, resolutions: buffer } of batches) {
    for (let at = 0; at < buffer.length; ) {
      const count = buffer.readUInt32LE(at + BYTES / 2);
      frames.set(firstOffset + buffer.readUInt32LE(at), { buffer, at: at + BYTES, count });
      at += (1 + count) * BYTES;
    }
  }
  return (offset, place) => {
    const frame = frames.get(offset);
    if (frame === undefined || place >= frame.count) return undefined;
    return Number(frame.buffer.readBigUInt64LE(frame.at + place * BYTES));
  };
}
