import { SourceRefused } from "../sourceRefused.ts";

const MIB = 1024 * 1024;

/** Limits of what a Parquet file may claim. They are checked before the bytes that they are claimed of are decoded. */
export const parquetLimits = {
  footerBytes: 16 * MIB,
  /** Fields and elements of the footer. */
  footerValues: 4_000_000,
  /** Fields and elements of the header of a page, its statistics included. */
  pageHeaderValues: 1_000,
  /** Locations of pages in the index of one column chunk take four values each. */
  indexValues: 4_000_000,
  rowGroups: 100_000,
  columns: 20_000,
  /** Groups within one another. */
  levels: 64,
  /** Unpacked and packed bytes of a row group without an index of its pages, and what is read at once of any other. */
  groupBytes: 192 * MIB,
  /** Values of lists and groups in a row group without an index of its pages: all of them are decoded at once. */
  nestedValues: 4 * MIB,
  /** Unpacked bytes of a page; DuckDB fills pages up to 100 MB. */
  pageBytes: 128 * MIB,
  /** Values of a page, missing ones included, and of a dictionary. */
  pageValues: 4 * MIB,
} as const;

export function damaged(cause?: unknown): SourceRefused {
  return new SourceRefused("The Parquet file is damaged or cut short.", { cause });
}

/** Returns the refusal of a file that claims more than it may: "has more than 20000 columns". */
export function claimsTooMuch(limit: keyof typeof parquetLimits): SourceRefused {
  return new SourceRefused(`The Parquet file has ${phrases[limit](parquetLimits[limit])}.`);
}

const phrases: Readonly<Record<keyof typeof parquetLimits, (max: number) => string>> = {
  footerBytes: (max) => `a footer of more than ${max} bytes`,
  footerValues: (max) => `a footer of more than ${max} values`,
  pageHeaderValues: (max) => `a page header of more than ${max} values`,
  indexValues: (max) => `an index of pages of more than ${max} values`,
  rowGroups: (max) => `more than ${max} row groups`,
  columns: (max) => `more than ${max} columns`,
  levels: (max) => `columns that nest deeper than ${max} levels`,
  groupBytes: (max) => `a row group of more than ${max} bytes without an index of its pages: write smaller row groups`,
  nestedValues: (max) =>
    `a row group with more than ${max} values in lists and groups without an index of its pages: write smaller row groups`,
  pageBytes: (max) => `a page of more than ${max} bytes`,
  pageValues: (max) => `a page or dictionary of more than ${max} values`,
};
