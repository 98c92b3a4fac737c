import { setTimeout as sleep } from "node:timers/promises";
import type { Apps } from "../../harness/apps.ts";
import { type Ground, makeAccount } from "../../harness/services.ts";

/** Honest work at `/v2`: a template that is saved, a page of contacts. */
export interface HonestPages {
  /** Milliseconds of all calls since this was asked last. */
  takeTimes(): readonly number[];
  /** Answers that should never come. */
  readonly unexpected: readonly string[];
  end(): Promise<void>;
}

const SCOPES = ["intake", "read", "write"];
const REST_MS = 100;
const ANSWER_MS = 60_000;

/** Saves templates and reads contacts, one call after another, until it is ended. */
export async function startHonestPages({
  ground,
  apps,
}: {
  readonly ground: Ground;
  readonly apps: Apps;
}): Promise<HonestPages> {
  const { apiKey } = await makeAccount(ground.postgres, "honest-pages", SCOPES);
  const headers = {
    authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
    "content-type": "application/json",
  };
  const unexpected: string[] = [];
  let times: number[] = [];
  let made = 0;
  let isEnding = false;
  const call = async (method: string, path: string, body?: object) => {
    const begunMs = performance.now();
    const init = {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    try {
      const answer = await fetch(`http://127.0.0.1:${apps.servicePort}${path}`, init);
      const text = await answer.text();
      if (!answer.ok) unexpected.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    } catch (error) {
      unexpected.push(`${method} ${path}: ${String(error)}`);
    }
    times.push(performance.now() - begunMs);
    await sleep(REST_MS);
  };
  const work = async () => {
    while (!isEnding) {
      made += 1;
      const key = `honest-${made}`;
      const mail = { subject: "Hi {{ name }}", fromEmail: "shop@example.com", fromDesc: "Shop" };
      const message = {
        headers: mail,
        content: { "text/html": `<style>p{color:red}</style><p>Hi {{ name }} ${made}</p>` },
      };
      const template = { key, name: key, channel: "email", baseAggregation: "daily", message };
      await call("POST", "/v2/automationtemplates", template);
      await call("GET", "/v2/contacts");
    }
  };
  const working = work();
  return {
    unexpected,
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    async end() {
      isEnding = true;
      await working;
    },
  };
}
