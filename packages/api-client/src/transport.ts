import { randomUUID } from "node:crypto";
import { ClientError, exchange, persist, readRefusal, type Request as Sent } from "@headwater/client";
import type { ReadOptions } from "./options.ts";

export interface ServiceAnswer {
  readonly status: number;
  /** Parsed JSON; undefined for anything else, which is in `text`. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends one request until it is answered for good. @throws ClientError for every answer that is no success, and for none. */
export type Transport = (request: Sent, signal?: AbortSignal) => Promise<ServiceAnswer>;

/** Over the delivery that the producers' client has too; a write carries one Idempotency-Key over all its attempts. */
export function createTransport(options: ReadOptions): Transport {
  const { requestTimeoutMs: timeoutMs, retry, onRetry } = options;
  return async (request, signal = new AbortController().signal) => {
    signal.throwIfAborted();
    const outcome = await persist(
      { exchange: watched(options), policy: retry, onRetry },
      { request: { ...request, headers: headersOf(request, options) }, signal, timeoutMs },
    );
    signal.throwIfAborted();
    if (outcome.kind === "gaveUp") {
      const { last, mayBeAccepted } = outcome;
      if (last.kind === "answered") throw readRefusal(last.status, last.body);
      throw unanswered(request, { cause: last.cause, mayBeAccepted });
    }
    const { status, body, text = "", headers = new Headers() } = outcome;
    if (status < 200 || status >= 300) throw readRefusal(status, body);
    return { status, body, text, headers };
  };
}

function watched({ onAnswer }: ReadOptions): typeof exchange {
  if (onAnswer === undefined) return exchange;
  return async (request, signal, timeoutMs) => {
    const startedAtMs = performance.now();
    const ended = await exchange(request, signal, timeoutMs);
    const { method, url } = request;
    const elapsedMs = Math.round(performance.now() - startedAtMs);
    if (ended.kind === "answered")
      onAnswer({ method, path: `${url.pathname}${url.search}`, status: ended.status, elapsedMs });
    return ended;
  };
}

/** `/api` takes the key as a header, `/v2` as the user name of Basic: one key serves both. */
function headersOf(request: Sent, { apiKey, headers = {}, intakeUrl }: ReadOptions): Record<string, string> {
  const isIntake = request.url.href.startsWith(new URL("api/", intakeUrl).href);
  const basic = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
  const key: Record<string, string> = isIntake ? { "x-api-key": apiKey } : { authorization: basic };
  const isWrite = request.method !== "GET" && request.headers["idempotency-key"] === undefined;
  return {
    ...headers,
    ...key,
    ...(isWrite && { "idempotency-key": randomUUID() }),
    ...(request.body !== undefined && { "content-type": "application/json" }),
    ...request.headers,
  };
}

function unanswered({ method, url }: Sent, init: { readonly cause: unknown; readonly mayBeAccepted: boolean }) {
  return new ClientError({
    kind: "undelivered",
    code: "UNDELIVERED",
    message: `${url.origin} did not answer: ${reasonOf(init.cause)}.`,
    cause: init.cause,
    mayBeAccepted: method !== "GET" && init.mayBeAccepted,
  });
}

/** Node says "fetch failed" and keeps what happened in the cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
}
