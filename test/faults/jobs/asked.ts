import { hash } from "node:crypto";
import type { JobsGround } from "./world.ts";

/** Kinds of jobs that a round starts together. */
export const KINDS = ["export", "trend", "import"] as const;
export type Kind = (typeof KINDS)[number];

export const jobNames = {
  export: "ExportContacts",
  trend: "ExportAudienceTrends",
  import: "ImportOrders",
} as const satisfies Record<Kind, string>;

const EXPORTING = ["first", "sinks", "stage", "write", "manifest", "end"] as const;
/** Phases of each kind, as workers pass them; `first` has no name yet. */
export const phases = {
  export: EXPORTING,
  trend: EXPORTING,
  import: ["first", "rows", "settle", "collect"],
} as const satisfies Record<Kind, readonly string[]>;

/** Rows that all exports of a run have, and those of each import. */
export interface Sizes {
  readonly contacts: number;
  readonly orders: number;
}

const NOTE_CHARACTERS = 1_000;
const FILES = 3;
const criteria = { field: "attributes.plan", op: "eq", value: "seed" };

export const emailOf = (n: number) => `person${n}@example.com`;
/** A text of its own for each contact, so that a file of few contacts is large. */
export const noteOf = (n: number) => hash("sha256", `note ${n}`, "hex").repeat(NOTE_CHARACTERS / 50);
/** The account of orders has no contact of this address: the state refuses the row. */
const NOBODY = "nobody@example.com";

/** File of the contacts that exports have. */
export function contactsFile({ contacts }: Sizes): string {
  const lines = Array.from({ length: contacts }, (_, n) => `${emailOf(n)},seed,${noteOf(n)}`);
  return `email,attributes.plan,attributes.note\n${lines.join("\n")}\n`;
}

export const orderId = (round: number, n: number) => `r${round}-${n}`;
export const orderOf = (id: string, n: number, status: string) => ({
  ...{ orderID: id, email: emailOf(n), purchaseDate: "2026-01-09T22:47:12Z", status },
  items: [{ productID: "p", sku: "p", name: "Heart", itemPrice: 2.5, qty: 2 }],
});

/** File of a round's orders; the last row has no contact. */
function ordersFile(round: number, { orders, contacts }: Sizes): string {
  const rows = Array.from({ length: orders }, (_, n) => orderOf(orderId(round, n), n % contacts, "file"));
  const lost = { ...orderOf(orderId(round, orders), 0, "file"), email: NOBODY };
  return [...rows, lost].map((row) => `${JSON.stringify(row)}\n`).join("");
}

export interface Asked {
  readonly path: string;
  readonly body: object;
}

/** Uploads what is to be uploaded. @returns the calls that start the jobs of a round. */
export async function askedIn(
  { call, outside, brittle }: JobsGround,
  { round, sizes, timeframe }: { readonly round: number; readonly sizes: Sizes; readonly timeframe: object },
): Promise<Readonly<Record<Kind, Asked>>> {
  const { url } = await call("POST", "/v2/uploads?name=orders.jsonl", ordersFile(round, sizes));
  const destination = outside.through(brittle.port);
  const fields = ["email", "attributes.note"];
  const limitRecordsPerFile = Math.ceil(sizes.contacts / FILES);
  return {
    export: { path: "/v2/contactexports", body: { criteria, fields, limitRecordsPerFile, destination } },
    trend: { path: "/v2/audiencetrendsexport", body: { criteria, timeframe, grain: "hour", destination } },
    import: { path: "/v2/ordersimport", body: { source: { transport: "file", path: url } } },
  };
}
