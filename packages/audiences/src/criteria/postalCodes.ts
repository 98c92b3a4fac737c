import { type Coordinates, type PostalCode, postalLocation, type SupplementReference } from "@headwater/criteria";
import type { CriteriaPorts } from "./criteriaPorts.ts";

const member = (name: string) => `JSONExtract(document, '${name}', 'Nullable(String)')`;
const plain = (name: string) => `upper(replaceRegexpAll(ifNull(${member(name)}, ''), '\\\\s+', ''))`;

/** Centers of locations; of several records of one code the first by its id counts. */
const statement = `SELECT place, argMin((lat, lon), id) AS center FROM (
    SELECT id, concat(${plain("country")}, ' ', ${plain("postalCode")}) AS place,
      toFloat64OrNull(${member("lat")}) AS lat, toFloat64OrNull(${member("lon")}) AS lon
    FROM supplement_records_current FINAL
    WHERE account = {account: UInt32} AND supplement = {table: UInt32} AND deleted = 0 AND version > {cleared: String}
  ) WHERE place IN {places: Array(String)} AND abs(lat) <= 90 AND abs(lon) <= 180 GROUP BY place`;

/** Finds where postal codes lie, in the account's own table of them. */
export async function readPostalCodes(
  account: number,
  { table, codes }: { readonly table: SupplementReference; readonly codes: readonly PostalCode[] },
  { clickHouse }: Pick<CriteriaPorts, "clickHouse">,
): Promise<Map<string, Coordinates>> {
  if (codes.length === 0) return new Map();
  const paths = [...new Set(codes.map(postalLocation))];
  const cleared = table.clears?.toSorted().at(-1) ?? "";
  const params = { account, table: table.id, cleared, places: paths };
  const rows = await clickHouse.query<{ place: string; center: readonly [number, number] }>(statement, params);
  return new Map(rows.map(({ place: path, center: [lat, lon] }) => [path, { lat, lon }]));
}
