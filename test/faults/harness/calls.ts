import type { Apps } from "./apps.ts";
import { until } from "./until.ts";

/** Few jobs may be started a second: the next one may be. */
const TOO_MANY = 429;
const AWAY_TIMEOUT_MS = 300_000;

export interface Calls {
  readonly apiKey: string;
  /** Calls the service; waits and asks again while it is away. */
  call(method: string, path: string, body?: object | string): Promise<ReturnType<typeof JSON.parse>>;
  /** The same once: undefined without an answer. */
  callOnce(method: string, path: string, body?: object | string): Promise<ReturnType<typeof JSON.parse>>;
  /** Sends an item to intake. @returns its receipt. */
  append(operation: string, item: object): Promise<string>;
  /** Sends an item to intake and waits until the state has it. */
  send(operation: string, item: object): Promise<void>;
}

/** Calls of an account to the service and to intake. */
export function createCalls(apps: Apps, apiKey: string): Calls {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
  const ask = async (url: string, method: string, body?: object | string) => {
    const isText = typeof body === "string";
    const headers = {
      authorization,
      "x-api-key": apiKey,
      ...(body !== undefined && { "content-type": isText ? "application/octet-stream" : "application/json" }),
    };
    const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
    const answer = await fetch(url, { method, headers, ...sent, signal: AbortSignal.timeout(40_000) });
    const text = await answer.text();
    if (answer.status >= 500 || answer.status === TOO_MANY) throw new Error(`${answer.status} ${text}`);
    const parsed: ReturnType<typeof JSON.parse> = JSON.parse(text);
    if (answer.status >= 400) throw new TypeError(`${method} ${url} was answered ${answer.status} ${text}`);
    return parsed;
  };
  const whileAway = async (run: () => Promise<ReturnType<typeof JSON.parse>>) => {
    let answer: ReturnType<typeof JSON.parse>;
    const check = async () => {
      try {
        answer = await run();
        return undefined;
      } catch (error) {
        if (String(error).includes("was answered")) throw error;
        return String(error);
      }
    };
    await until(check, { timeoutMs: AWAY_TIMEOUT_MS });
    return answer;
  };
  const service = (path: string) => `http://127.0.0.1:${apps.servicePort}${path}`;
  const call: Calls["call"] = (method, path, body) => whileAway(() => ask(service(path), method, body));
  const append: Calls["append"] = async (operation, item) => {
    const intake = `http://127.0.0.1:${apps.ingressPort}/api/${operation}`;
    const { receipt } = await whileAway(() => ask(intake, "POST", item));
    return String(receipt);
  };
  return {
    apiKey,
    call,
    async callOnce(method, path, body) {
      return ask(service(path), method, body).catch((error: unknown) => {
        if (String(error).includes("was answered")) throw error;
        return undefined;
      });
    },
    append,
    async send(operation, item) {
      const receipt = await append(operation, item);
      const { state } = await call("GET", `/v2/receipts/${receipt}?wait=20`);
      if (state !== "applied") throw new Error(`${operation} is ${state}`);
    },
  };
}
