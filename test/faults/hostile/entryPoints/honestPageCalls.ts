import { setTimeout as sleep } from "node:timers/promises";
import { callerData, serveCalls } from "../caller.ts";

export interface HonestPagesOptions {
  readonly apiKey: string;
  readonly port: number;
}

/** Answers that should never come. */
export type HonestPagesResult = readonly string[];

const REST_MS = 100;
const ANSWER_MS = 60_000;

const { apiKey, port } = callerData<HonestPagesOptions>();
const headers = {
  authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  "content-type": "application/json",
};
const unexpected: string[] = [];
const times: number[] = [];
let created = 0;
let isEnding = false;

async function call(method: string, path: string, body?: object): Promise<void> {
  const begunMs = performance.now();
  const init = {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const text = await answer.text();
    if (!answer.ok) unexpected.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  } catch (error) {
    unexpected.push(`${method} ${path}: ${String(error)}`);
  }
  times.push(performance.now() - begunMs);
  await sleep(REST_MS);
}

async function work(): Promise<void> {
  while (!isEnding) {
    created += 1;
    const key = `honest-${created}`;
    const message = {
      headers: { subject: "Hi {{ name }}", fromEmail: "shop@example.com", fromDesc: "Shop" },
      content: { "text/html": `<style>p{color:red}</style><p>Hi {{ name }} ${created}</p>` },
    };
    const template = { key, name: key, channel: "email", baseAggregation: "daily", message };
    await call("POST", "/v2/automationtemplates", template);
    await call("GET", "/v2/contacts");
  }
}

const working = work();

serveCalls<HonestPagesResult>({
  times,
  async end() {
    isEnding = true;
    await working;
    return unexpected;
  },
});
