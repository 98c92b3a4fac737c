import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { rootFolder } from "../../../infra/src/index.ts";

const text = z.string();
const row = z.object({
  InvoiceNo: text,
  StockCode: text,
  Quantity: z.coerce.number(),
  InvoiceDate: text,
  UnitPrice: z.coerce.number(),
  CustomerID: text,
  Country: text,
});
type Row = z.output<typeof row>;

const DATA = join(rootFolder, "infra/demo/data/online-retail-sample.csv.gz");
const csv = parse(gunzipSync(readFileSync(DATA)), { columns: true, bom: true });
const rows = z
  .array(row)
  .parse(csv)
  .filter(({ CustomerID }) => CustomerID !== "");
const returns = rows.filter(({ InvoiceNo }) => InvoiceNo.startsWith("C"));
const purchases = rows.filter(({ InvoiceNo }) => !InvoiceNo.startsWith("C"));
const customersOf = (some: readonly Row[]) => new Set(some.map(({ CustomerID }) => CustomerID));
const boughtFrom = (from: string, to: string) =>
  customersOf(purchases.filter(({ InvoiceDate }) => InvoiceDate >= from && InvoiceDate < to));

const carts = [...Map.groupBy(purchases, ({ CustomerID }) => CustomerID).values()].map((own) => {
  const [last] = own.toSorted((a, b) =>
    `${b.InvoiceDate} ${b.InvoiceNo}`.localeCompare(`${a.InvoiceDate} ${a.InvoiceNo}`),
  );
  return { changed: last?.InvoiceDate ?? "", lines: own.filter(({ InvoiceNo }) => InvoiceNo === last?.InvoiceNo) };
});
const pence = (lines: readonly Row[]) =>
  lines.reduce((sum, line) => sum + Math.round(line.UnitPrice * 1_000) * line.Quantity, 0);
const all = customersOf(rows);
const opened = boughtFrom("2011-10-01", "2011-11-01");
const germans = customersOf(rows.filter(({ Country }) => Country === "Germany"));

/** Answers by the questions of the page on audiences, counted in the demo's file by code that knows nothing of Headwater. */
export const answersOfFile: Readonly<Record<string, number>> = {
  "Who has something in the cart?": carts.length,
  "Who has nothing in it?": all.size - carts.length,
  "Whose cart has article 85123A?": carts.filter(({ lines }) => lines.some((line) => line.StockCode === "85123A"))
    .length,
  "Whose cart comes to more than 100 pounds?": carts.filter(({ lines }) => pence(lines) > 100_000).length,
  "Whose cart was left in November 2011?": carts.filter(({ changed }) => changed.startsWith("2011-11")).length,
  "Whose was left in December, with 50 pieces of one article?": carts.filter(
    ({ changed, lines }) => changed.startsWith("2011-12") && lines.some(({ Quantity }) => Quantity >= 50),
  ).length,
  "Who has a record of something returned?": customersOf(returns).size,
  "Who returned article 22423?": customersOf(returns.filter(({ StockCode }) => StockCode === "22423")).size,
  "Who returned something that costs 10 pounds or more?": customersOf(
    returns.filter(({ UnitPrice }) => UnitPrice >= 10),
  ).size,
  "Who has three records of returns or more?": [
    ...Map.groupBy(returns, ({ CustomerID }) => CustomerID).values(),
  ].filter(({ length }) => length >= 3).length,
  "Who got the message of the autumn sale?": all.size,
  "Who opened it?": opened.size,
  "Whose mail was opened, by a person or by a machine?": opened.union(germans).size,
  "Who got it, and did not open it?": all.difference(opened).size,
  "Who clicked in it in the first three days?": boughtFrom("2011-10-01", "2011-10-04").size,
};
