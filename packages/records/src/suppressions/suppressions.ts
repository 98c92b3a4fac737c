import { createHmac } from "node:crypto";
import { formerPhones, mailDomain, withAsciiDomain } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { readErasureSecret } from "../erasures/erasureSecret.ts";

/** `manual` and `hard-bounce` hold for all sends, the others for promotional ones. */
export type SuppressionReason = "manual" | "hard-bounce" | "complaint" | "erased-unsubscribed";

/** An address or a domain that is suppressed. */
export interface SuppressionTarget {
  readonly kind: "address" | "domain";
  readonly value: string;
}

/** Addresses of one channel of an account. */
export interface SuppressedChannel {
  readonly account: number;
  readonly channel: string;
}

export interface StoredSuppression extends SuppressedChannel {
  /** 24 hex characters. */
  readonly id: string;
  readonly target: SuppressionTarget["kind"];
  /** Address or domain; null once its contact was erased. */
  readonly shown: string | null;
  readonly reason: SuppressionReason;
  readonly note: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewSuppression extends SuppressedChannel {
  readonly id: string;
  /** Address or domain in canonical form, a domain in ASCII. */
  readonly target: SuppressionTarget;
  readonly reason: SuppressionReason;
  readonly note?: string | null;
  readonly nowMs: number;
}

const COLUMNS = `account, id, channel, target, shown, reason, note, created_at AS "createdAt"`;
const insertStatement = {
  name: "suppressions_insert",
  text: `INSERT INTO suppressions AS s (account, id, channel, target, hash, shown, reason, note, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (account, hash, reason) DO UPDATE SET shown = EXCLUDED.shown, note = COALESCE(EXCLUDED.note, s.note)
    RETURNING id`,
};
const amongStatement = {
  name: "suppressions_among",
  text: "SELECT hash, reason FROM suppressions WHERE account = $1 AND hash = ANY ($2::text[])",
};
const liftStatement = {
  name: "suppressions_lift",
  text: "DELETE FROM suppressions WHERE account = $1 AND hash = ANY ($2::text[]) AND reason = ANY ($3::text[])",
};
const deleteStatement = {
  name: "suppressions_delete",
  text: "DELETE FROM suppressions WHERE account = $1 AND id = $2",
};
const forgetStatement = {
  name: "suppressions_forget",
  text: "UPDATE suppressions SET shown = NULL, note = NULL WHERE account = $1 AND hash = ANY ($2::text[])",
};

/**
 * Finds why addresses get nothing, their domains' reasons included.
 * @param addresses in canonical form. @returns reasons by address, of those that have one.
 */
export async function suppressedAmong(
  session: Session,
  of: SuppressedChannel,
  addresses: readonly string[],
): Promise<Map<string, SuppressionReason[]>> {
  if (addresses.length === 0) return new Map();
  const secret = await readErasureSecret(session);
  const asked = addresses.flatMap((address) =>
    hashesThatSuppress(secret, of, address).map((hash) => ({ address, hash })),
  );
  const hashes = textArray(asked, ({ hash }) => hash);
  const rows = await session.query<{ hash: string; reason: SuppressionReason }>(amongStatement, [of.account, hashes]);
  const reasons = Map.groupBy(rows, ({ hash }) => hash);
  const found = new Map<string, SuppressionReason[]>();
  for (const { address, hash } of asked) {
    const own = (reasons.get(hash) ?? []).map(({ reason }) => reason);
    if (own.length > 0) found.set(address, [...(found.get(address) ?? []), ...own]);
  }
  return found;
}

/** Suppresses an address or a domain. One that is suppressed for this reason stays. @returns its id. */
export async function suppress(transaction: Transaction, suppression: NewSuppression): Promise<string> {
  const { account, id, channel, target, reason, note = null, nowMs } = suppression;
  const hash = hashOf(await readErasureSecret(transaction), suppression, target);
  const values = [account, id, channel, target.kind, hash, target.value, reason, note, nowMs];
  const [row] = await transaction.query<{ id: string }>(insertStatement, values);
  return row?.id ?? id;
}

/** Lifts the suppressions of an address for these reasons; those of its domain stay. @returns how many. */
export async function lift(
  transaction: Transaction,
  of: SuppressedChannel & { readonly address: string },
  reasons: readonly SuppressionReason[],
): Promise<number> {
  const secret = await readErasureSecret(transaction);
  const hashes = hashesOf(secret, of.account, [of]);
  const values = [of.account, textArray(hashes, (one) => one), textArray(reasons, (one) => one)];
  return transaction.execute(liftStatement, values);
}

/** Lifts the suppressions of many addresses of an account for these reasons. */
export async function liftAll(
  transaction: Transaction,
  account: number,
  lifted: {
    readonly addresses: readonly ChannelAddress[];
    readonly reasons: readonly SuppressionReason[];
  },
): Promise<void> {
  const secret = await readErasureSecret(transaction);
  const hashes = hashesOf(secret, account, lifted.addresses);
  const values = [account, textArray(hashes, (one) => one), textArray(lifted.reasons, (one) => one)];
  await transaction.execute(liftStatement, values);
}

/** @returns false when there is none. */
export async function deleteSuppression(transaction: Transaction, account: number, id: string): Promise<boolean> {
  return (await transaction.execute(deleteStatement, [account, id])) === 1;
}

/** Forgets the addresses of a contact that is erased; their hashes go on to hold. */
export async function forgetSuppressed(
  transaction: Transaction,
  account: number,
  addresses: readonly ChannelAddress[],
): Promise<void> {
  if (addresses.length === 0) return;
  const secret = await readErasureSecret(transaction);
  const hashes = hashesOf(secret, account, addresses);
  await transaction.execute(forgetStatement, [account, textArray(hashes, (hash) => hash)]);
}

/** Address of a channel, in canonical form. */
export interface ChannelAddress {
  readonly channel: string;
  readonly address: string;
}

export interface SuppressionsPage {
  readonly account: number;
  readonly channel?: string;
  readonly reason?: SuppressionReason;
  /** Canonical forms of an address, of each channel that it is searched for in. */
  readonly addresses?: readonly ChannelAddress[];
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: { readonly createdAt: number; readonly id: string };
  readonly skip: number;
  readonly rowsMax: number;
}

/** Lists in order of (time of creation, id). */
export async function pageSuppressions(session: Session, page: SuppressionsPage): Promise<StoredSuppression[]> {
  const where = await filters(session, page);
  const { direction, after, skip, rowsMax } = page;
  if (after !== undefined) {
    const last = `(${where.bind(after.createdAt)}, ${where.bind(after.id)})`;
    where.add(`(created_at, id) ${direction === "asc" ? ">" : "<"} ${last}`);
  }
  const way = direction === "asc" ? "ASC" : "DESC";
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  const text = `SELECT ${COLUMNS} FROM suppressions WHERE ${where.text()} ORDER BY created_at ${way}, id ${way} ${limits}`;
  return session.query({ text }, where.values);
}

type SuppressionFilters = Pick<SuppressionsPage, "account" | "channel" | "reason" | "addresses">;

export async function countSuppressions(session: Session, page: SuppressionFilters): Promise<number> {
  const where = await filters(session, page);
  const text = `SELECT count(*) AS count FROM suppressions WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

async function filters(session: Session, { account, channel, reason, addresses }: SuppressionFilters) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (channel !== undefined) where.add(`channel = ${where.bind(channel)}`);
  if (reason !== undefined) where.add(`reason = ${where.bind(reason)}`);
  if (addresses !== undefined) {
    const hashes = hashesOf(await readErasureSecret(session), account, addresses);
    where.add(`hash = ANY (${where.bind(textArray(hashes, (hash) => hash))}::text[])`);
  }
  return where;
}

function hashesOf(secret: Buffer, account: number, addresses: readonly ChannelAddress[]): string[] {
  return addresses.flatMap(({ channel, address }) =>
    storedHashes(secret, { account, channel }, { kind: "address", value: address }),
  );
}

/** Returns the hashes that suppress an address: its own, and those of an email's domain. */
function hashesThatSuppress(secret: Buffer, of: SuppressedChannel, address: string): string[] {
  const own = storedHashes(secret, of, { kind: "address", value: address });
  const domain = of.channel === "email" ? mailDomain(address) : undefined;
  return domain === undefined ? own : [...own, hashOf(secret, of, { kind: "domain", value: domain })];
}

/**
 * Returns the hashes under which a target may stand: rows from before domains and phone numbers were put into one form hash the address
 * as it was written.
 */
function storedHashes(secret: Buffer, of: SuppressedChannel, target: SuppressionTarget): string[] {
  const { kind, value } = target;
  const former = of.channel === "sms" && kind === "address" ? formerPhones(value) : [];
  const hashes = [
    hashOf(secret, of, target),
    ...[value, ...former].map((one) => keyedHash(secret, of, { kind, value: one })),
  ];
  return [...new Set(hashes)];
}

/** Returns the hash of a target in the one form that mail goes to, however its domain is written. */
function hashOf(secret: Buffer, of: SuppressedChannel, { kind, value }: SuppressionTarget): string {
  const isMail = of.channel === "email" && kind === "address";
  return keyedHash(secret, of, { kind, value: isMail ? withAsciiDomain(value) : value });
}

/** Returns what stands for an address or domain: without the installation's secret nobody can try addresses on it. */
function keyedHash(secret: Buffer, { account, channel }: SuppressedChannel, target: SuppressionTarget): string {
  const { kind, value } = target;
  return createHmac("sha256", secret).update(`suppressed\n${account}\n${channel}\n${kind}\n${value}`).digest("hex");
}
