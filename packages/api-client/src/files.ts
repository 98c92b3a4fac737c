import { randomUUID } from "node:crypto";
import { ClientError, type Exchange, persist, readRefusal, readRetryAfter, toMembers } from "@headwater/client";
import type { ReadOptions } from "./options.ts";

export interface UploadOptions {
  /** Name of the file, whose extension is its format. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of a file, as they come. */
export type FileBytes = NonNullable<Response["body"]>;

/**
 * Sends a file to `/v2/uploads`, as it is read. It is sent again when the service asks for that, and not when no answer came: it may be
 * large.
 * @returns the `url` that the import's `source.path` takes. @throws ClientError
 */
export async function uploadFile(file: Blob, { name, signal }: UploadOptions, options: ReadOptions): Promise<string> {
  const { baseUrl, apiKey, headers } = options;
  const url = new URL("v2/uploads", baseUrl);
  if (name !== undefined) url.searchParams.set("name", name);
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
  const init = { method: "POST", body: file, headers: { ...headers, authorization, "idempotency-key": randomUUID() } };
  const response = await fetchAnswer({ url, init, isSentOnce: true, signal }, options);
  const { url: path } = toMembers(parsed(await response.text()));
  if (typeof path === "string") return path;
  throw new ClientError({ kind: "refused", code: "UNREADABLE_ANSWER", message: "The answer names no upload." });
}

/**
 * Fetches what a signed link names. The link needs no key, and is sent none.
 * @returns the bytes, as they come. @throws ClientError
 */
export async function downloadFile(
  link: string,
  signal: AbortSignal | undefined,
  options: ReadOptions,
): Promise<FileBytes> {
  const url = new URL(link, options.baseUrl);
  const { body } = await fetchAnswer({ url, init: {}, isSentOnce: false, signal }, options);
  return body ?? new Blob([]).stream();
}

interface Asked {
  readonly url: URL;
  readonly init: RequestInit;
  /** It is not sent again when no answer came. */
  readonly isSentOnce: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Fetches with the waits and retries of all requests. @returns the success, its body unread. */
async function fetchAnswer({ url, init, isSentOnce, signal }: Asked, options: ReadOptions): Promise<Response> {
  const { retry: policy, onRetry, requestTimeoutMs: timeoutMs } = options;
  let success: Response | undefined;
  const exchange: Exchange = async (_request, attemptSignal) => {
    try {
      const response = await fetch(url, { ...init, redirect: "manual", signal: attemptSignal });
      if (response.ok) success = response;
      return await readEnd(response);
    } catch (cause) {
      if (isSentOnce) throw unanswered(url, cause);
      return { kind: "lost", cause };
    }
  };
  const request = { method: "GET", url, headers: {} } as const;
  const ask = { request, signal: signal ?? new AbortController().signal, timeoutMs };
  const outcome = await persist({ exchange, policy, onRetry }, ask);
  if (success !== undefined) return success;
  const last = outcome.kind === "gaveUp" ? outcome.last : outcome;
  if (last.kind === "lost") throw unanswered(url, last.cause);
  throw readRefusal(last.status, last.body);
}

/** A success is left to be read by the caller: it may be of any size. */
async function readEnd(response: Response): ReturnType<Exchange> {
  const { ok, status, headers } = response;
  const body = ok ? undefined : parsed(await response.text());
  const { code } = toMembers(body);
  const retryAfterMs = readRetryAfter(headers.get("retry-after"), Date.now());
  return { kind: "answered", status, code: typeof code === "string" ? code : undefined, retryAfterMs, body };
}

function unanswered({ origin }: URL, cause: unknown): ClientError {
  return new ClientError({ kind: "undelivered", code: "UNDELIVERED", message: `${origin} did not answer.`, cause });
}

/** @returns undefined for what is no JSON, as of a proxy between. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
