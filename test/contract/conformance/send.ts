import type { Caller, Trial } from "./requests.ts";
import type { Answered } from "./verdict.ts";

/** Parts of a request. */
export type Sent = Pick<Trial, "path" | "body" | "headers">;

/** Ways in which each caller signs a request. */
export type Proofs = Readonly<Record<Caller, (request: Sent) => Sent>>;

const TIMEOUT_MS = 30_000;

export interface Target {
  readonly url: string;
  readonly method: string;
}

/** Sends one request over a socket, its path as it stands. */
export async function send({ url, method }: Target, { path, body, headers }: Sent): Promise<Answered> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
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
