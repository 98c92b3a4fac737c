import { randomBytes } from "node:crypto";
import type pg from "pg";
import { bareWrites } from "./bareStatements.ts";

/** Sizes of the rows of one of our writes, so that the bare one writes as much. */
export interface WriteSizes {
  readonly documentBytes: number;
  readonly outboxBytes: number;
}

export type WriteName = "contact" | "order" | "record";

interface Asked {
  readonly account: number;
  readonly id: string;
  readonly sizes: WriteSizes;
}

/** Numbers of contacts that nobody else writes about. */
const NUMBERS_FROM = 600_000_000;
const TOPICS = { contact: "changes.contacts", order: "changes.orders", record: "changes.supplements" } as const;

type Query = { readonly name: string; readonly text: string; readonly values: (string | number)[] };

/** One transaction, its statements sent together; it is durable when this resolves. */
export async function writeBare(pool: pg.Pool, what: WriteName, asked: Asked): Promise<void> {
  const client = await pool.connect();
  try {
    await Promise.all([client.query("BEGIN"), ...rowsOf[what](asked).map((query) => client.query(query))]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

const rowsOf: Readonly<Record<WriteName, (asked: Asked) => Query[]>> = {
  contact({ account, id, sizes }) {
    const number = NUMBERS_FROM + Number(/\d+/.exec(id)?.[0] ?? 0);
    const [version, document] = [newVersion(), "x".repeat(sizes.documentBytes)];
    const cid = number.toString(16).padStart(24, "0");
    return [
      { ...bareWrites.contact, values: [account, number, cid, Date.now(), version, document] },
      { ...bareWrites.identifiers, values: [account, number, `bare ${id}`, `bare C ${id}`] },
      ...changeOf("contact", { account, id, sizes, version }),
    ];
  },
  order({ account, id, sizes }) {
    const [version, document] = [newVersion(), "x".repeat(sizes.documentBytes)];
    return [
      { ...bareWrites.order, values: [account, `bare ${id}`, Date.now(), version, document] },
      ...changeOf("order", { account, id, sizes, version }),
    ];
  },
  record({ account, id, sizes }) {
    const [version, document] = [newVersion(), "x".repeat(sizes.documentBytes)];
    return [
      { ...bareWrites.record, values: [account, `bare ${id}`, Date.now(), version, document] },
      { ...bareWrites.entry, values: [account, "bare", id] },
      ...changeOf("record", { account, id, sizes, version }),
    ];
  },
};

function changeOf(what: WriteName, { account, id, sizes, version }: Asked & { readonly version: string }): Query[] {
  return [
    { ...bareWrites.outbox, values: [TOPICS[what], "x".repeat(sizes.outboxBytes)] },
    { ...bareWrites.own, values: [account, version, `bare ${id}`] },
  ];
}

function newVersion(): string {
  return randomBytes(16).toString("hex");
}
