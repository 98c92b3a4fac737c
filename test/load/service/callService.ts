import type { World } from "../world/world.ts";

const TIMEOUT_MS = 60_000;

export interface OneCall {
  readonly port: number;
  readonly path: string;
  /** Posted when it is there. */
  readonly body?: object;
  readonly method?: "PUT";
}

/** One call of the service outside of what is measured. @returns its JSON. @throws Error when it is refused. */
export async function callService({ apiKey }: World, { port, path, body, method }: OneCall): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
