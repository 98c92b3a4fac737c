import { hash } from "node:crypto";
import { deleteOlder, TIMESTAMP } from "../connection/oldRows.ts";
import type { Session } from "../connection/session.ts";

/** One `Idempotency-Key` of one account on one method and path. */
export interface IdempotencyScope {
  readonly account: number;
  /** Method and path. */
  readonly route: string;
  readonly key: string;
}

export interface IdempotencyClaim extends IdempotencyScope {
  /** Request of the first call; a later one gets the first one's. */
  readonly requestId: string;
  readonly bodyHash: string;
  readonly leaseMs: number;
}

/** The first answer, given again to every repeat. */
export interface StoredAnswer {
  readonly status: number;
  /** Any JSON value. */
  readonly answer: unknown;
}

export type ClaimOutcome =
  /** Go on under this request id. `repeated`: an earlier call did not come to its end and may have written: mark the records as keyed. */
  | { readonly kind: "claimed"; readonly requestId: string; readonly repeated: boolean }
  | ({ readonly kind: "answered"; readonly requestId: string } & StoredAnswer)
  | { readonly kind: "running"; readonly leaseMs: number }
  | { readonly kind: "otherBody" };

const insertStatement = {
  name: "idempotency_insert",
  text: `INSERT INTO intake.idempotency (account, route, key, request_id, body_hash, lease_until)
    VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond') ON CONFLICT DO NOTHING`,
};
const takeOverStatement = {
  name: "idempotency_take_over",
  text: `UPDATE intake.idempotency SET lease_until = now() + $5 * interval '1 millisecond'
    WHERE account = $1 AND route = $2 AND key = $3 AND body_hash = $4 AND status IS NULL AND lease_until <= now()
    RETURNING request_id AS "requestId"`,
};
const readStatement = {
  name: "idempotency_read",
  text: `SELECT request_id AS "requestId", body_hash AS "bodyHash", status, answer,
      (extract(epoch FROM lease_until - now()) * 1000)::float8 AS "leaseMs"
    FROM intake.idempotency WHERE account = $1 AND route = $2 AND key = $3`,
};
const finishStatement = {
  name: "idempotency_finish",
  text: "UPDATE intake.idempotency SET status = $4, answer = $5 WHERE account = $1 AND route = $2 AND key = $3 AND status IS NULL",
};
const releaseStatement = {
  name: "idempotency_release",
  text: "UPDATE intake.idempotency SET lease_until = now() WHERE account = $1 AND route = $2 AND key = $3 AND status IS NULL",
};
const forgetStatement = {
  name: "idempotency_forget",
  text: "DELETE FROM intake.idempotency WHERE account = $1 AND route = $2 AND key = $3 AND status IS NULL AND request_id = $4",
};
const aging = { table: "intake.idempotency", column: "created_at", moment: TIMESTAMP };

interface IdempotencyRow {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly status: number | null;
  readonly answer: unknown;
  readonly leaseMs: number;
}

/** Stores the intent before anything is written; a lapsed one is taken over under its own request id. The database's clock decides. */
export async function claimIdempotency(session: Session, claim: IdempotencyClaim): Promise<ClaimOutcome> {
  const { requestId, bodyHash, leaseMs } = claim;
  const scope = scopeValues(claim);
  if ((await session.execute(insertStatement, [...scope, requestId, bodyHash, leaseMs])) === 1) {
    return { kind: "claimed", requestId, repeated: false };
  }
  const [taken] = await session.query<{ requestId: string }>(takeOverStatement, [...scope, bodyHash, leaseMs]);
  if (taken !== undefined) return { kind: "claimed", requestId: taken.requestId, repeated: true };
  const [row] = await session.query<IdempotencyRow>(readStatement, scope);
  // It was forgotten between the two statements: the other call stored nothing, so this one waits no longer than a moment.
  return row === undefined ? { kind: "running", leaseMs: 0 } : outcomeOf(row, bodyHash);
}

/** Finds what a call with this key would meet, and claims nothing. Undefined for a key that no call has. */
export async function findIdempotency(
  session: Session,
  { bodyHash, ...scope }: IdempotencyScope & Pick<IdempotencyClaim, "bodyHash">,
): Promise<Exclude<ClaimOutcome, { kind: "claimed" }> | undefined> {
  const [row] = await session.query<IdempotencyRow>(readStatement, scopeValues(scope));
  return row && outcomeOf(row, bodyHash);
}

function outcomeOf(row: IdempotencyRow, bodyHash: string): Exclude<ClaimOutcome, { kind: "claimed" }> {
  if (row.bodyHash !== bodyHash) return { kind: "otherBody" };
  if (row.status === null) return { kind: "running", leaseMs: Math.max(0, Math.ceil(row.leaseMs)) };
  return { kind: "answered", requestId: row.requestId, status: row.status, answer: row.answer };
}

/** Keeps the answer. False: there is one already, which every caller is to get. */
export async function finishIdempotency(
  session: Session,
  scope: IdempotencyScope,
  { status, answer }: StoredAnswer,
): Promise<boolean> {
  return (await session.execute(finishStatement, [...scopeValues(scope), status, JSON.stringify(answer)])) === 1;
}

/** Releases the key after a failure: the intent stays, and a retry may take it over at once. */
export async function releaseIdempotency(session: Session, scope: IdempotencyScope): Promise<void> {
  await session.execute(releaseStatement, scopeValues(scope));
}

/** Forgets the call after a refusal before anything was written (429, 4xx), as if it had not been. */
export async function forgetIdempotency(session: Session, scope: IdempotencyScope, requestId: string): Promise<void> {
  await session.execute(forgetStatement, [...scopeValues(scope), requestId]);
}

/** Keys whose call began before then. @returns how many. */
export function deleteIdempotency(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}

/** A key is stored as a hash (migration 030 makes the same): some callers make them of addresses or orders. */
function scopeValues({ account, route, key }: IdempotencyScope) {
  return [account, route, hash("sha256", `${account}\n${route}\n${key}`, "hex")];
}
