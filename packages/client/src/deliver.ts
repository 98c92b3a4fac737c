import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { type Accepted, readRefusal, readVerdicts, type Verdict } from "./answers.ts";
import { ClientError } from "./clientError.ts";
import type { Request } from "./exchange.ts";
import { type Persisted, type Persistence, persist } from "./persist.ts";

/** An item on its way. */
export interface Entry {
  /** Its JSON, as it was when it was sent. */
  readonly text: string;
  readonly bytes: number;
  resolve(accepted: Accepted): void;
  reject(error: unknown): void;
}

export interface DeliverParts {
  readonly persistence: Persistence;
  readonly url: URL;
  readonly apiKey: string;
  readonly gzipFromBytes: number;
  readonly requestTimeoutMs: number;
  /** Aborted when nothing is to be sent any more. */
  readonly signal: AbortSignal;
}

const compress = promisify(gzip);

/**
 * Sends one batch until each of its items has its verdict, or retries come to their end. A batch that is too large for the
 * API (it counts records and bytes as written, which we cannot) is sent in halves, in order, each a request of its own.
 * Every entry is resolved; the promise never rejects.
 */
export async function deliver(parts: DeliverParts, batch: readonly Entry[]): Promise<void> {
  try {
    const outcome = await persist(parts.persistence, {
      request: await toRequest(parts, batch),
      signal: parts.signal,
      timeoutMs: parts.requestTimeoutMs,
      isReadable: (status, body) => readVerdicts(status, body, batch.length) !== undefined,
    });
    if (outcome.kind === "tooLarge" && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await deliver(parts, batch.slice(0, middle));
      await deliver(parts, batch.slice(middle));
    } else {
      complete(batch, outcome);
    }
  } catch (error) {
    for (const entry of batch) entry.reject(error);
  }
}

async function toRequest({ url, apiKey, gzipFromBytes }: DeliverParts, batch: readonly Entry[]): Promise<Request> {
  const body = `{"items":[${batch.map(({ text }) => text).join(",")}]}`;
  const headers = { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": randomUUID() };
  if (body.length < gzipFromBytes) return { method: "POST", url, headers, body };
  const zipped = await compress(body, { level: constants.Z_BEST_SPEED });
  return { method: "POST", url, headers: { ...headers, "content-encoding": "gzip" }, body: zipped };
}

function complete(batch: readonly Entry[], outcome: Persisted): void {
  const verdicts = verdictsOf(batch, outcome);
  batch.forEach((entry, index) => {
    const verdict = verdicts[index];
    if (verdict?.kind === "accepted") entry.resolve(verdict.accepted);
    else entry.reject(verdict?.error ?? new Error("a batch has a verdict for each of its items"));
  });
}

function verdictsOf(batch: readonly Entry[], outcome: Persisted): readonly Verdict[] {
  switch (outcome.kind) {
    case "answered":
      return readVerdicts(outcome.status, outcome.body, batch.length) ?? [];
    case "tooLarge":
      return batch.map(() => ({ kind: "rejected", error: readRefusal(outcome.status, outcome.body, "rejected") }));
    case "gaveUp":
      return batch.map(() => ({ kind: "rejected", error: undelivered(outcome) }));
  }
}

export function undelivered({ mayBeAccepted, last }: Extract<Persisted, { kind: "gaveUp" }>): ClientError {
  const answer = last.kind === "answered" ? readRefusal(last.status, last.body) : undefined;
  const why = answer === undefined ? "there was no answer" : `the last answer was ${answer.status} ${answer.code}`;
  return new ClientError({
    kind: "undelivered",
    code: "UNDELIVERED",
    message: `Delivery failed: ${why}.`,
    mayBeAccepted,
    ...(answer === undefined ? { cause: last.kind === "lost" ? last.cause : undefined } : {}),
    ...(answer !== undefined && { status: answer.status, requestId: answer.requestId }),
  });
}
