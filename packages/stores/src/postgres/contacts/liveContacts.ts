import type { ContactKey, StoredContact } from "./contacts.ts";

export type LoadContacts = (keys: readonly ContactKey[]) => Promise<StoredContact[]>;

/**
 * Reads contacts by the numbers asked for: of a merged one its survivor, and of an erased one nothing.
 * @param load reads rows as they are stored, or locks them.
 */
export async function readLive(
  account: number,
  numbers: readonly number[],
  load: LoadContacts,
): Promise<Map<number, StoredContact>> {
  const rowsOf = (wanted: readonly number[]) =>
    wanted.length === 0 ? [] : load([...new Set(wanted)].map((number) => ({ account, number })));
  const rows = await rowsOf(numbers);
  const survivors = await rowsOf(rows.flatMap(({ mergedInto }) => mergedInto ?? []));
  const all = new Map([...rows, ...survivors].map((row) => [row.number, row]));
  return new Map(
    rows.flatMap((row) => {
      const live = row.mergedInto === null ? row : all.get(row.mergedInto);
      return live === undefined || live.mergedInto !== null ? [] : [[row.number, live] as const];
    }),
  );
}
