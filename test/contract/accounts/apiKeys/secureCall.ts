import { once } from "node:events";
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { text as readText } from "node:stream/consumers";

export interface SecureCall {
  readonly port: number;
  readonly path: string;
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** PEM of whom the caller trusts; without it the call is plain HTTP. */
  readonly authority?: string;
}

export interface Called {
  readonly status: number;
  /** Tests look into answers of many shapes. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** One call on a connection of its own to 127.0.0.1. */
export async function call({ port, path, method = "GET", headers, body, authority }: SecureCall): Promise<Called> {
  const options = {
    ...{ host: "127.0.0.1", port, path, method, agent: false },
    headers: { "content-type": "application/json", ...headers },
  };
  const asked = authority === undefined ? plainRequest(options) : secureRequest({ ...options, ca: authority });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = await once(asked, "response");
  return { status: answer.statusCode, body: JSON.parse(await readText(answer)) };
}

export const basicOf = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` });
