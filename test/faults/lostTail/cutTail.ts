import { globSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";

const BATCH_OFFSET_BYTES = 8;
const BATCH_HEADER_BYTES = 12;

/**
 * Takes from a stopped broker what it had not brought to the disk when its power was cut: all batches of a partition from `offset` on,
 * and what it remembers of them elsewhere.
 * @param folder the broker's data.
 * @returns the offset the partition ends at now.
 */
export function cutTail(folder: string, partition: string, offset: number): number {
  const logs = globSync(join(folder, "**", partition, "*.log")).toSorted();
  let end = 0;
  for (const file of logs) {
    const stored = lengthBelow(file, offset);
    truncateSync(file, stored.bytes);
    end = Math.max(end, stored.nextOffset);
    for (const index of [".index", ".timeindex"]) rmSync(file.replace(/\.log$/, index), { force: true });
  }
  const [first] = logs;
  if (first === undefined) throw new Error(`${folder} holds no ${partition}`);
  for (const snapshot of globSync(join(dirname(first), "*.snapshot"))) rmSync(snapshot);
  for (const existing of [
    "recovery-point-offset-checkpoint",
    "replication-offset-checkpoint",
    ".kafka_cleanshutdown",
  ]) {
    for (const file of globSync(join(folder, "**", existing))) rmSync(file);
  }
  return end;
}

/** Bytes of the whole batches that begin below the offset. */
function lengthBelow(file: string, offset: number): { readonly bytes: number; readonly nextOffset: number } {
  const log = readFileSync(file);
  let bytes = 0;
  let nextOffset = 0;
  while (bytes + BATCH_HEADER_BYTES <= log.length && Number(log.readBigInt64BE(bytes)) < offset) {
    const length = log.readInt32BE(bytes + BATCH_OFFSET_BYTES);
    if (length === 0) break;
    nextOffset = Number(log.readBigInt64BE(bytes)) + log.readInt32BE(bytes + LAST_DELTA_AT) + 1;
    bytes += BATCH_HEADER_BYTES + length;
  }
  return { bytes, nextOffset };
}

/** Position in a batch where it says how many offsets it has, less one. */
const LAST_DELTA_AT = 23;
