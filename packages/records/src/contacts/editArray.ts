import { type ArrayEdit, type Json, JsonSet } from "@headwater/contracts";

/** Returns an array with an edit done. Takes as long as both are large together. */
export function editArray(
  current: Json | undefined,
  { add = [], remove = [] }: ArrayEdit,
  itemsMax: number | undefined,
): Json {
  const before: readonly Json[] = Array.isArray(current) ? current : [];
  const removed = new JsonSet(remove);
  const kept = remove.length === 0 ? before : before.filter((item) => !removed.has(item));
  const there = new JsonSet(add.length === 0 ? [] : kept);
  const items = [...kept, ...add.filter((item) => there.add(item))];
  return withinBound(itemsMax === undefined ? items : items.slice(-itemsMax));
}

/** JSON characters of an array that is edited again and again: past them the oldest fall out. */
const ARRAY_CHARACTERS_MAX = 256 * 1024;

/** The newest items that fit, one at least. */
function withinBound(items: readonly Json[]): Json {
  let from = items.length;
  for (let room = ARRAY_CHARACTERS_MAX; from > 0; from--) {
    room -= JSON.stringify(items[from - 1]).length + 1;
    if (room < 0 && from < items.length) break;
  }
  return from === 0 ? items : items.slice(from);
}
