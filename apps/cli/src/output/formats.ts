/** Values of `-o`. */
export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** One thing a command shows, by the names of its members. */
export type Row = Readonly<Record<string, unknown>>;
