import { partitionOf } from "@headwater/contracts";
import type { Sliced } from "@headwater/kernel";
import type { FrameEntry } from "@headwater/topics";
import type { AcceptedRecord } from "../operations/validateItem.ts";
import { limits } from "./limits.ts";
import type { AcceptedItem } from "./verdicts.ts";

export interface RequestStamp {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** The call carried an Idempotency-Key: its records are applied once, however often they are written. */
  readonly isKeyed: boolean;
}

export type EntriesCreated =
  | { readonly kind: "entries"; readonly entries: readonly FrameEntry[] }
  | { readonly kind: "tooLarge"; readonly what: "records" | "bytes_written"; readonly max: number };

const UTF8_BYTES_MAX = 3;

export interface EntryRules {
  readonly partitions: number;
  readonly recordsMax: number;
}

/** Every record serialised once, in the order of items and elements, next to its partition. */
export function* toEntries(
  items: readonly AcceptedItem[],
  stamp: RequestStamp,
  { partitions, recordsMax }: EntryRules,
): Sliced<EntriesCreated> {
  const entries: FrameEntry[] = [];
  let characters = 0;
  for (const { index, source, records, once } of items) {
    if (entries.length + records.length > recordsMax) return tooLarge("records", recordsMax);
    const tail = `","receivedAt":${stamp.receivedAtMs}${stamp.isKeyed ? ',"keyed":true' : ""}${sourceMember(source)}`;
    const first = entries.length;
    for (let element = 0; element < records.length; element++) {
      const record = records[element];
      if (record === undefined) continue;
      const name = once === undefined ? "" : `,"once":"${once}:${element}"`;
      const entry = toEntry(record, `{"id":"${stamp.requestId}:${index}:${element}${tail}${name}`, partitions);
      characters += entry.text.length;
      entries.push(entry);
    }
    if (records.length > 1) keepTogether(entries, first);
    if (characters > limits.bytesWritten) return tooLarge("bytes_written", limits.bytesWritten);
    yield;
  }
  const isOver = characters * UTF8_BYTES_MAX > limits.bytesWritten && bytesOf(entries) > limits.bytesWritten;
  return isOver ? tooLarge("bytes_written", limits.bytesWritten) : { kind: "entries", entries };
}

/** Records of an item about one contact are found by the place of the first: they go into one frame. */
function keepTogether(entries: FrameEntry[], from: number): void {
  const first = entries[from];
  const item = entries.slice(from);
  if (first === undefined || item.some(({ key }) => key !== first.key)) return;
  entries[from] = { ...first, item: { records: item.length, bytes: bytesOf(item) } };
}

/** `head` is an open object: the operation's members, never none, are put behind its own. */
function toEntry({ identity, members }: AcceptedRecord, head: string, partitions: number): FrameEntry {
  const text = `${head},${JSON.stringify(members).slice(1)}`;
  return { partition: partitionOf(identity, partitions), key: identity, text };
}

function sourceMember(source: string | undefined): string {
  return source === undefined ? "" : `,"source":${JSON.stringify(source)}`;
}

function bytesOf(entries: readonly FrameEntry[]): number {
  return entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

function tooLarge(what: "records" | "bytes_written", max: number): EntriesCreated {
  return { kind: "tooLarge", what, max };
}
