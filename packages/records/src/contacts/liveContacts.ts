import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import type { Session } from "@headwater/postgres/connection/session";
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

/** A live contact with the number that it was asked for by: its own, or that of a contact merged into it. */
export interface FoundContact extends StoredContact {
  readonly asked: number;
}

const PART_NAMES = `asked, position, account, number, cid, "createdAt", "modifiedAt", version, "mergedInto"`;
const partStatement = {
  name: "contacts_live_part",
  text: boundPage(
    `SELECT k.number AS asked, k.position, c.account, c.number, c.cid, c.created_at AS "createdAt", c.modified_at AS "modifiedAt",
      c.version, c.merged_into AS "mergedInto", c.doc
    FROM unnest($2::bigint[]) WITH ORDINALITY AS k (number, position)
    JOIN contacts a ON a.account = $1 AND a.number = k.number
    JOIN contacts c ON c.account = a.account AND c.number = COALESCE(a.merged_into, a.number) AND c.merged_into IS NULL
    WHERE k.position > $3 ORDER BY k.position`,
    PART_NAMES,
    "$4",
  ),
};
/** Limit of the documents that are in memory at a time. */
const PART_BYTES_MAX = 4 * 1024 * 1024;

type PartRow = FoundContact & { readonly position: number };

/**
 * Reads what `readLive` reads, in the order asked for and a part at a time: contacts whose documents together have at most 4 MiB, or one
 * contact. The caller keeps what it needs of a part before it takes the next.
 */
export async function* liveContactParts(
  session: Session,
  account: number,
  numbers: readonly number[],
): AsyncGenerator<readonly FoundContact[]> {
  const asked = `{${[...new Set(numbers)].join(",")}}`;
  let position = 0;
  for (let isCut = numbers.length > 0; isCut; ) {
    const read: BoundedRows<PartRow> = rowsWithinBound<PartRow>(
      await session.query<Omit<PartRow, "doc"> & { readonly doc: string | null }>(partStatement, [
        ...[account, asked, position],
        PART_BYTES_MAX,
      ]),
    );
    yield read.rows;
    position = read.rows.at(-1)?.position ?? position;
    isCut = read.isCut;
  }
}
