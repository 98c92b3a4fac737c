import type { Caller, Trial } from "./requests.ts";
import type { Answered } from "./verdict.ts";

/** What each caller adds to a request. */
export type Proofs = Readonly<Record<Caller, Readonly<Record<string, string>>>>;

const TIMEOUT_MS = 30_000;

export interface Target {
  readonly url: string;
  readonly method: string;
  readonly proofs: Proofs;
}

/** Sends one request over a socket, its path as it stands. */
export async function send({ url, method, proofs }: Target, { path, body, headers, as }: Trial): Promise<Answered> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...proofs[as] },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    contentType: answer.headers.get("content-type") ?? "",
    text,
    headers: answer.headers,
  };
}
