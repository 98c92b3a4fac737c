import { createHash, createHmac, hkdfSync } from "node:crypto";

/** An entry as it is digested: all columns, in the order that its digest takes. Absent ones are null. */
export interface SealableEntry {
  readonly id: string;
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of the transaction that wrote it. */
  readonly tx: number;
  readonly category: string;
  readonly level: number;
  readonly action: string;
  readonly message: string;
  readonly actor: string | null;
  readonly actorName: string | null;
  readonly actorKind: string | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly jobId: string | null;
  readonly target: string | null;
  readonly status: string | null;
  /** JSON texts. */
  readonly details: string | null;
  readonly members: string | null;
}

/** Content that a seal binds: its entries, its position in the chain, and the cluster that wrote it. */
export interface SealContent {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly sealedAt: number;
  /** Transactions of its entries: `fromTx` included, `toTx` excluded. */
  readonly fromTx: number;
  readonly toTx: number;
  readonly lastAt: number;
  readonly ids: readonly string[];
  /** Times of the entries: old ones are deleted by day, and a seal may hold two days. */
  readonly ats: readonly number[];
  readonly digests: readonly string[];
  /** MAC and time of the seal before it; empty and 0 for the first. */
  readonly previous: string;
  readonly previousAt: number;
  readonly keyId: string;
  readonly system: string;
  readonly timeline: number;
}

export interface Seal extends SealContent {
  readonly mac: string;
}

/** A key of seals. The id distinguishes keys and reveals none. */
export interface SealKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Stands in for a settings key: entries are chained all the same, which finds accidents, and nobody who can write the table. */
export const NO_KEY: SealKey = { id: "none", bytes: Buffer.alloc(32) };

const KEY_BYTES = 32;
const DIGEST_HEX = 32;

/** Derives a key of seals from each settings key (HKDF-SHA256). The first one seals, all verify. */
export function sealKeysOf(settingsKeys: readonly Buffer[] | undefined): readonly SealKey[] {
  return (settingsKeys ?? []).map((key) => {
    const bytes = Buffer.from(hkdfSync("sha256", key, "", "headwater account log", KEY_BYTES));
    return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 8), bytes };
  });
}

/** Returns the digest of an entry: 128 bits of an HMAC-SHA256 over the columns that have a value, each with its name. */
export function digestOf(entry: SealableEntry, key: SealKey): string {
  const { id, account, at, tx, category, level, action, message, ...optional } = entry;
  // A column that is added later and is null in an old entry leaves the digest of that entry as it is.
  const present = Object.entries(optional)
    .filter(([, value]) => value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([id, account, at, tx, category, level, action, message, present]);
  return createHmac("sha256", key.bytes).update(text).digest("hex").slice(0, DIGEST_HEX);
}

/** Returns the MAC of a seal, hex. */
export function macOf(seal: SealContent, key: SealKey): string {
  const { number, sealedAt, fromTx, toTx, lastAt, ids, ats, digests, previous, previousAt, keyId, system, timeline } =
    seal;
  const chain = [number, sealedAt, fromTx, toTx, lastAt, previous, previousAt, keyId, system, timeline];
  return createHmac("sha256", key.bytes)
    .update(JSON.stringify([...chain, ids, ats, digests]))
    .digest("hex");
}
