import { codeOf, parseJson } from "./answers.ts";
import { type Ended, readRetryAfter } from "./retry.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface AnswerParts {
  /** Parsed JSON; undefined for anything else. */
  readonly body: unknown;
  readonly text?: string;
  readonly headers?: Headers;
}

export type Exchanged =
  | (Extract<Ended, { kind: "answered" }> & AnswerParts)
  | { readonly kind: "lost"; readonly cause: unknown };

/** Sends one request and reads its answer, however it ends. Never rejects. */
export type Exchange = (request: Request, signal: AbortSignal, timeoutMs: number) => Promise<Exchanged>;

/** The largest answer is a batch with every item refused; beyond this it is no answer of ours. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/** Over Node's fetch, which keeps connections. A redirect is an answer like any other: the key goes nowhere else. */
export const exchange: Exchange = async ({ url, ...request }, signal, timeoutMs) => {
  const bound = new AbortController();
  const timer = setTimeout(() => bound.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => bound.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const response = await fetch(url, { ...request, redirect: "manual", signal: bound.signal });
    const text = await readText(response);
    const body = parseJson(text);
    const { status, headers } = response;
    const retryAfterMs = readRetryAfter(headers.get("retry-after"), Date.now());
    return { kind: "answered", status, code: codeOf(body), retryAfterMs, body, text, headers };
  } catch (error) {
    return { kind: "lost", cause: bound.signal.aborted ? bound.signal.reason : error };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
};

async function readText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
