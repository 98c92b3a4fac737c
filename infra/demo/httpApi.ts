import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Connection } from "./connection.ts";
import type { IntakeRequest } from "./dataset/requests.ts";
import { DemoFailure } from "./demoFailure.ts";

const compress = promisify(gzip);
const REQUEST_TIMEOUT_MS = 60_000;
/** Time the service may refuse or be away before the demo gives up. */
const PATIENCE_MS = 120_000;
const WAIT_DEFAULT_S = 1;
const WAIT_MAX_S = 30;
/** Statuses that may pass: an intent still running, not applied yet, too many calls, away. */
const LATER = new Set([409, 429, 502, 503, 504]);

/** The public API as this demo uses it. Answers are parsed JSON; a refusal that will not pass throws DemoFailure. */
export interface HttpApi {
  send(request: IntakeRequest): Promise<unknown>;
  get(path: string): Promise<unknown>;
  /** Posts what changes nothing. */
  post(path: string, body: object): Promise<unknown>;
  /** Writes once, however often it has to be sent. */
  write(method: "POST" | "PUT", path: string, body: object): Promise<unknown>;
}

export function createHttpApi({ ingressUrl, serviceUrl, apiKey }: Connection): HttpApi {
  const basic = { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` };
  const json = { "content-type": "application/json" };
  return {
    async send({ path, body, idempotencyKey }) {
      const headers = {
        ...json,
        "content-encoding": "gzip",
        "x-api-key": apiKey,
        "idempotency-key": idempotencyKey,
      };
      return call(ingressUrl + path, { method: "POST", headers, body: new Uint8Array(await compress(body)) });
    },
    get: (path) => call(serviceUrl + path, { headers: basic }),
    post: (path, body) =>
      call(serviceUrl + path, { method: "POST", headers: { ...basic, ...json }, body: JSON.stringify(body) }),
    write: (method, path, body) => {
      const headers = { ...basic, ...json, "idempotency-key": randomUUID() };
      return call(serviceUrl + path, { method, headers, body: JSON.stringify(body) });
    },
  };
}

/** Calls until there is an answer, waiting as long as `Retry-After` says between two attempts. */
async function call(url: string, init: RequestInit): Promise<unknown> {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const attempt = await attemptCall(url, init);
    if (attempt.kind === "answer") return attempt.body;
    if (Date.now() + attempt.waitMs > endMs) {
      throw new DemoFailure(`${new URL(url).pathname} did not take the call for two minutes: ${attempt.reason}`);
    }
    await sleep(attempt.waitMs);
  }
}

type Attempt =
  | { readonly kind: "answer"; readonly body: unknown }
  | { readonly kind: "later"; readonly waitMs: number; readonly reason: string };

async function attemptCall(url: string, init: RequestInit): Promise<Attempt> {
  const sent = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
    async (response) => ({ response, text: await response.text() }),
    (error: unknown) => ({ response: undefined, text: reasonOf(error) }),
  );
  const { response, text } = sent;
  if (response === undefined) return { kind: "later", waitMs: WAIT_DEFAULT_S * 1_000, reason: text };
  if (response.ok) return { kind: "answer", body: JSON.parse(text) };
  if (LATER.has(response.status)) {
    return { kind: "later", waitMs: waitOf(response.headers) * 1_000, reason: text };
  }
  throw new DemoFailure(`${init.method ?? "GET"} ${new URL(url).pathname} answers ${response.status}: ${text}`);
}

function waitOf(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? WAIT_DEFAULT_S);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, WAIT_MAX_S) : WAIT_DEFAULT_S;
}

/** fetch says "fetch failed" and hides the reason one or two levels down. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
