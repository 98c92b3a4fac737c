import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { HeadwaterError, withTimeout } from "@headwater/kernel";
import { z } from "zod";
import { needed } from "../addresses.ts";
import type { Call } from "../call.ts";
import type { KeyBook } from "./keyBook.ts";

const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 4;
const RETRY_AFTER_SECONDS_MAX = 30;
const PAGES_MAX = 100;

const record = z.record(z.string(), z.unknown());
const page = z.object({ data: z.array(record), pagination: z.object({ next_cursor: z.string().nullable() }) });
const failure = z.object({
  code: z.string(),
  message: z.string(),
  details: z
    .array(
      z.object({ path: z.string(), code: z.string(), message: z.string(), allowed: z.array(z.string()).optional() }),
    )
    .optional(),
});

interface Asked {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** The keys of the account whose key is in `HEADWATER_API_KEY`, through `/v2/apikeys`. */
export function bookOfApi(call: Call): KeyBook {
  return {
    async list() {
      const rows: z.infer<typeof record>[] = [];
      let cursor: string | null = "";
      for (let pages = 0; cursor !== null && pages < PAGES_MAX; pages += 1) {
        const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { data, pagination } = page.parse(await ask(call, { method: "GET", path: `?per_page=500${query}` }));
        rows.push(...data);
        cursor = pagination.next_cursor;
      }
      return rows;
    },
    make: async (body) => record.parse(await ask(call, { method: "POST", path: "", body })),
    revoke: async (id) => void (await ask(call, { method: "DELETE", path: `/${encodeURIComponent(id)}` })),
  };
}

/** Retries 429 and 503 after their `Retry-After`, under the same Idempotency-Key. */
async function ask(call: Call, asked: Asked): Promise<unknown> {
  const idempotencyKey = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(call, asked, idempotencyKey);
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    if ((response.status !== 429 && response.status !== 503) || attempt === ATTEMPTS_MAX) {
      throw toError(response.status, answer);
    }
    const seconds = Math.min(Number(response.headers.get("retry-after")) || 1, RETRY_AFTER_SECONDS_MAX);
    call.terminal.say(`The service says ${response.status}; trying again in ${seconds} s.`);
    await sleep(seconds * 1_000);
  }
}

function send({ addresses }: Call, { method, path, body }: Asked, idempotencyKey: string): Promise<Response> {
  const url = `${needed(addresses, "HEADWATER_SERVICE_URL").replace(/\/$/, "")}/v2/apikeys${path}`;
  const credentials = Buffer.from(`${needed(addresses, "HEADWATER_API_KEY")}:`).toString("base64");
  const headers = {
    authorization: `Basic ${credentials}`,
    ...(method !== "GET" && { "idempotency-key": idempotencyKey }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return withTimeout((signal) => fetch(url, { method, headers, signal, ...sent }), TIMEOUT_MS);
}

function toError(status: number, answer: unknown): HeadwaterError {
  const parsed = failure.safeParse(answer);
  if (!parsed.success) {
    return new HeadwaterError({ code: "INTERNAL_ERROR", status, publicMessage: `The service answered ${status}.` });
  }
  const { code, message: publicMessage, details = [] } = parsed.data;
  const told = details.map(({ allowed, ...detail }) => ({ ...detail, ...(allowed && { allowed }) }));
  return new HeadwaterError({ code, status, publicMessage, details: told });
}
