import { parseDecimal, type TenThousandths } from "@headwater/contracts";
import { parse } from "csv-parse/sync";
import { z } from "zod";

/** One line of an invoice. */
export interface Line {
  readonly invoice: string;
  /** 1 for the first line of its invoice in the file, and so on: with the invoice it names the line for ever. */
  readonly place: number;
  /** The invoice takes goods back. */
  readonly isReturn: boolean;
  readonly stockCode: string;
  readonly description: string;
  readonly quantity: number;
  readonly price: TenThousandths;
  /** ISO 8601, UTC: the file names no zone, and the shop's own differs by an hour at most. */
  readonly time: string;
  readonly customer: string;
  readonly country: string;
}

export interface ParsedLines {
  readonly lines: readonly Line[];
  /** Lines that name no customer, and so no contact. */
  readonly withoutCustomer: number;
}

const RETURN_PREFIX = "C";

const row = z.object({
  InvoiceNo: z.string().min(1),
  StockCode: z.string().min(1),
  Description: z.string(),
  Quantity: z.coerce.number().int(),
  InvoiceDate: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
  UnitPrice: z.string(),
  CustomerID: z.string().regex(/^(\d+(\.0)?)?$/),
  Country: z.string().min(1),
});

/** Reads the CSV of the data set. Throws when it is another file. */
export function parseLines(csv: string): ParsedLines {
  const rows = z.array(row).parse(parse(csv, { columns: true, bom: true, skip_empty_lines: true }));
  const positions = new Map<string, number>();
  const lines: Line[] = [];
  for (const entry of rows) {
    const position = (positions.get(entry.InvoiceNo) ?? 0) + 1;
    positions.set(entry.InvoiceNo, position);
    if (entry.CustomerID !== "") lines.push(toLine(entry, position));
  }
  return { lines, withoutCustomer: rows.length - lines.length };
}

function toLine(entry: z.output<typeof row>, place: number): Line {
  const price = parseDecimal(entry.UnitPrice);
  if (price === undefined) throw new Error(`${entry.UnitPrice} is not a price`);
  return {
    invoice: entry.InvoiceNo,
    place,
    isReturn: entry.InvoiceNo.startsWith(RETURN_PREFIX),
    stockCode: entry.StockCode,
    description: entry.Description.trim() || entry.StockCode,
    quantity: entry.Quantity,
    price,
    time: `${entry.InvoiceDate.replace(" ", "T")}Z`,
    customer: entry.CustomerID.replace(/\.0$/, ""),
    country: entry.Country,
  };
}
