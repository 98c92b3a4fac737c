import { hash } from "node:crypto";
import type { Logger } from "@headwater/kernel";
import { z } from "zod";
import { deleteOlder, TIMESTAMP } from "../connection/oldRows.ts";
import type { Session } from "../connection/session.ts";

/** One `Idempotency-Key` of one account on one method and path. */
export interface KeyedCall {
  readonly account: number;
  /** Method and path. */
  readonly route: string;
  readonly key: string;
}

interface Intent {
  /** Request of the first call; a later one gets the first one's. */
  readonly requestId: string;
  readonly bodyHash: string;
  readonly leaseMs: number;
}

/** The first answer, given again to every repeat. */
interface StoredAnswer {
  readonly status: number;
  /** Any JSON value. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

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
  text: `SELECT request_id AS "requestId", body_hash AS "bodyHash", status, answer
    FROM intake.idempotency WHERE account = $1 AND route = $2 AND key = $3`,
};
const completeStatement = {
  name: "idempotency_complete",
  text: "UPDATE intake.idempotency SET status = $4, answer = $5 WHERE account = $1 AND route = $2 AND key = $3 AND status IS NULL",
};
const releaseStatement = {
  name: "idempotency_release",
  text: "UPDATE intake.idempotency SET lease_until = now() WHERE account = $1 AND route = $2 AND key = $3 AND status IS NULL",
};
const aging = { table: "intake.idempotency", column: "created_at", moment: TIMESTAMP };

interface IdempotencyRow {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly status: number | null;
  readonly answer: unknown;
}

/** Intents and answers of calls under an `Idempotency-Key`: in a transaction, together with what the call writes. */
export function createIdempotencyStore(session: Session) {
  return {
    /** Stores the intent before anything is written; a lapsed one is taken over under its own request id. The database's clock decides. */
    async begin(call: KeyedCall, { requestId, bodyHash, leaseMs }: Intent) {
      const values = valuesOf(call);
      if ((await session.execute(insertStatement, [...values, requestId, bodyHash, leaseMs])) === 1) {
        return { kind: "run", requestId } as const;
      }
      const [taken] = await session.query<{ requestId: string }>(takeOverStatement, [...values, bodyHash, leaseMs]);
      if (taken !== undefined) return { kind: "run", requestId: taken.requestId } as const;
      const [row] = await session.query<IdempotencyRow>(readStatement, values);
      // It aged out between the two statements: the caller comes again.
      return row === undefined ? ({ kind: "inProgress" } as const) : begunOf(row, bodyHash);
    },
    /** Finds what the call would meet, and stores nothing. Undefined for a key that no call has. */
    async find(call: KeyedCall, { bodyHash }: Pick<Intent, "bodyHash">) {
      const [row] = await session.query<IdempotencyRow>(readStatement, valuesOf(call));
      return row && begunOf(row, bodyHash);
    },
    /** Stores the answer. An earlier one stays, which every repeat is to get. */
    async complete(call: KeyedCall, _requestId: string, { status, ...answer }: StoredAnswer): Promise<void> {
      await session.execute(completeStatement, [...valuesOf(call), status, JSON.stringify(toColumn(answer))]);
    },
  };
}

/** The same with each step committed by itself, next to what the call writes to the log. */
export function createLeaseStore(session: Session, logger: Logger) {
  return {
    ...createIdempotencyStore(session),
    /** Ends the lease after a failure: the intent stays, and a retry takes it over at once. */
    async release(call: KeyedCall, requestId: string): Promise<void> {
      await session.execute(releaseStatement, valuesOf(call)).catch((error: unknown) => {
        logger.warn({ err: error, requestId }, "releasing a lease failed; it will expire");
      });
    },
  };
}

/** Keys whose call began before then. @returns how many. */
export function deleteIdempotency(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}

function begunOf({ requestId, bodyHash, status, answer }: IdempotencyRow, called: string) {
  if (bodyHash !== called) return { kind: "reused" } as const;
  if (status === null) return { kind: "inProgress" } as const;
  return { kind: "answered", requestId, answer: { status, ...fromColumn(answer) } } as const;
}

/** Column of an answer with headers. Of one without, as intake has them, the column is the body itself. */
const withHeaders = z.strictObject({ kept: z.unknown(), headers: z.record(z.string(), z.string()).optional() });

function toColumn({ body = null, headers }: Omit<StoredAnswer, "status">): unknown {
  return headers === undefined && !withHeaders.safeParse(body).success ? body : { kept: body, headers };
}

function fromColumn(answer: unknown): Omit<StoredAnswer, "status"> {
  const parsed = withHeaders.safeParse(answer);
  if (!parsed.success) return { body: answer };
  const { kept: body, headers } = parsed.data;
  return headers === undefined ? { body } : { body, headers };
}

/** A key is stored as a hash (migration 030 makes the same): some callers make them of addresses or orders. */
function valuesOf({ account, route, key }: KeyedCall) {
  return [account, route, hash("sha256", `${account}\n${route}\n${key}`, "hex")];
}
