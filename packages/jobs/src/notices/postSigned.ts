import {
  type Clock,
  IMPOSSIBLE_REQUEST,
  OUTBOUND_REFUSED,
  type Outbound,
  type OutsideResponse,
  requestOutside,
} from "@headwater/kernel";
import { Webhook } from "standardwebhooks";

/** A body that is posted to a receiver that an account names. */
export interface SignedPost {
  readonly url: string;
  /** The same for every try, so that receivers recognize a repeat. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** Each signs; a receiver accepts any of them. Without one the call is not signed. */
  readonly secrets: readonly string[];
  /** The account's number: its calls share connections. */
  readonly account: number;
}

/** Outcome of a call. */
export interface PostOutcome {
  /** Status of the answer; undefined where none came within the time. */
  readonly status?: number;
  /** Milliseconds until the status came, or none did. */
  readonly ms: number;
  /** Milliseconds that the receiver asks to wait; absent when it does not. */
  readonly retryAfterMs?: number;
  /** A sentence that names no address. */
  readonly error?: string;
  /** The address may never be called so. */
  readonly isRefused?: true;
}

export interface PostPorts {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export const POST_TIMEOUT_MS = 15_000;
/** Bytes of an answer that are read, so that its connection may serve again; that of a longer answer is closed. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Nobody waits longer for the rest of an answer, whose status is known. */
const ANSWER_TIMEOUT_MS = 1_000;
const ENCODED_PREFIX = "whsec_";
const GONE = 410;

/** Returns whether a status says that the receiver has it. A redirect is a failure. */
export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Returns whether the receiver asks for no further calls. */
export function isGone(status: number | undefined): boolean {
  return status === GONE;
}

/** Posts a body, signed as Standard Webhooks say (https://www.standardwebhooks.com). Redirects are not followed. */
export async function postSigned(post: SignedPost, { outbound, clock }: PostPorts): Promise<PostOutcome> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const at = new Date(clock.nowMs());
  const seen = new AbortController();
  const late = setTimeout(() => seen.abort(new NoAnswer()), POST_TIMEOUT_MS);
  try {
    const answer = await requestOutside(post.url, {
      method: "POST",
      body: post.body,
      headers: headersOf(post, at),
      outbound: outbound.ofAccount(post.account),
      signal: seen.signal,
    });
    const ms = elapsed();
    await skipAnswer(answer.body);
    const retryAfterMs = retryAfterIn(answer.headers["retry-after"], at.getTime());
    return { status: answer.status, ms, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch (error) {
    return { ms: elapsed(), ...failureOf(error) };
  } finally {
    clearTimeout(late);
  }
}

function headersOf(post: SignedPost, at: Date): Record<string, string> {
  return { "content-type": "application/json", "user-agent": "headwater", ...webhookHeaders(post, at) };
}

/** Returns the headers of Standard Webhooks, with the signatures of all secrets: without one there is none. */
export function webhookHeaders(
  { id, body, secrets }: Pick<SignedPost, "id" | "body" | "secrets">,
  at: Date,
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    ...(secrets.length > 0 && {
      "webhook-signature": secrets.map((secret) => signer(secret).sign(id, at, body)).join(" "),
    }),
  };
}

/** A secret `whsec_…` is base64, as the specification has it; any other text is taken as its bytes. */
function signer(secret: string): Webhook {
  return secret.startsWith(ENCODED_PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
}

/** Reads an answer to its end or its limit, and forgets it. What goes wrong in it changes nothing: its status counts. */
async function skipAnswer(body: OutsideResponse["body"]): Promise<void> {
  body.on("error", () => undefined);
  const late = setTimeout(() => body.destroy(), ANSWER_TIMEOUT_MS);
  try {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += Buffer.byteLength(chunk);
      if (bytes > ANSWER_BYTES_MAX) break;
    }
  } catch {
    return;
  } finally {
    clearTimeout(late);
    body.destroy();
  }
}

/** Reads `Retry-After`: seconds or a date. */
function retryAfterIn(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? 1_000 * Number(header) : Date.parse(header) - nowMs;
  return ms > 0 ? ms : undefined;
}

class NoAnswer extends Error {}

/** Returns what is shown of a failure: texts of drivers may hold the address, codes do not. */
function failureOf(error: unknown): Pick<PostOutcome, "error" | "isRefused"> {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (error instanceof NoAnswer || code === "ABORT_ERR")
    return { error: `No answer came within ${POST_TIMEOUT_MS / 1_000} s.` };
  if (code === OUTBOUND_REFUSED) return { error: "The host has an address that may not be reached.", isRefused: true };
  if (code === IMPOSSIBLE_REQUEST) return { error: "The address cannot be called.", isRefused: true };
  return { error: typeof code === "string" ? `The call failed: ${code}.` : "The call failed." };
}
