import { ENTRY_TYPES, type Entry } from "./entries.ts";

export type ProfileFormat = "json" | "jsonl";

/** Number of entries written of each kind. */
export type EntryCounts = Record<Entry["type"], number>;

export function noEntries(): EntryCounts {
  return {
    contact: 0,
    list: 0,
    order: 0,
    cart: 0,
    supplementRecord: 0,
    merge: 0,
    activity: 0,
    change: 0,
    listChange: 0,
  };
}

/**
 * The entries as text: one JSON object a line, or one object with a list of each kind. Counts what it writes.
 * @param entries grouped by kind, in the order of ENTRY_TYPES.
 */
export async function* profileText(
  entries: AsyncIterable<Entry>,
  format: ProfileFormat,
  counts: EntryCounts,
): AsyncGenerator<string> {
  if (format === "jsonl") {
    for await (const entry of entries) {
      counts[entry.type] += 1;
      yield `${JSON.stringify(entry)}\n`;
    }
    return;
  }
  let open = -1;
  for await (const { type, data } of entries) {
    const place = ENTRY_TYPES.indexOf(type);
    yield place === open ? "," : opening(open, place);
    open = place;
    counts[type] += 1;
    yield JSON.stringify(data);
  }
  yield `${opening(open, ENTRY_TYPES.length).slice(0, -1)}}\n`;
}

/** Closes the list that is open and begins those up to the next one; lists in between are empty. */
function opening(open: number, next: number): string {
  const begun = open < 0 ? "{" : "],";
  const empty = ENTRY_TYPES.slice(open + 1, next).map((type) => `${JSON.stringify(type)}:[],`);
  const own = ENTRY_TYPES[next];
  return `${begun}${empty.join("")}${own === undefined ? "" : `${JSON.stringify(own)}:[`}`;
}
