import { CHUNK_CONTACTS, type SendChunk } from "../sendChunks.ts";
import { instantInZone, type WallClock } from "../zones.ts";

export interface Cutting {
  /** Number of the first chunk. */
  readonly first: number;
  /** Zone of each contact; undefined where all are sent to at once. */
  readonly zones: ReadonlyMap<number, string> | undefined;
  readonly schedule: WallClock;
  /** Contacts that wait for a champion. */
  readonly waiting: ReadonlySet<number>;
  readonly nowMs: number;
}

/** Cuts contacts into chunks of one zone each, in the order given; those that wait have chunks of their own. A zone whose time has passed is due at once. */
export function cutChunks(
  contacts: readonly number[],
  { first, zones, schedule, waiting, nowMs }: Cutting,
): SendChunk[] {
  const fallback = schedule.timezone;
  const zoneOf = (contact: number) => (zones === undefined ? null : (zones.get(contact) ?? fallback));
  const groups = Map.groupBy(contacts, (contact) => `${waiting.has(contact)} ${zoneOf(contact)}`);
  const cut = [...groups.values()].flatMap((members) => {
    const [one = 0] = members;
    const zone = zoneOf(one);
    const dueAt = zone === null ? nowMs : Math.max(nowMs, instantInZone(schedule, zone));
    const parts = Math.ceil(members.length / CHUNK_CONTACTS);
    return Array.from({ length: parts }, (_, part) => ({
      ...{ zone, dueAt, waits: waiting.has(one) },
      contacts: members.slice(part * CHUNK_CONTACTS, (part + 1) * CHUNK_CONTACTS),
    }));
  });
  return cut.map((chunk, index) => ({ n: first + index, ...chunk }));
}
