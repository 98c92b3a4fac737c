import { type OnceCall, onceWithin, type Written } from "@headwater/api/idempotency/runOnce";
import { createCursors } from "@headwater/api/paging/cursors";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, defaultSettings } from "@headwater/contracts";
import {
  type Answer,
  type Begun,
  type Caller,
  createHttpServer,
  type HttpServer,
  type IdempotencyStore,
  type KeyedCall,
  type Route,
  type StoredAnswer,
} from "@headwater/http";
import { createLogger, createMetrics, manualClock } from "@headwater/kernel";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";

export const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
export const NOW_MS = Date.parse("2026-01-31T12:00:00Z");
export const clock = manualClock(NOW_MS);
const secret = "s".repeat(32);
export const cursors = createCursors(secret);

const nobody = () => Promise.reject(new Error("no call of this test has a receipt"));
/** Ports of routes that take `after`, which no call here does. */
export const afterPorts: AfterPorts = {
  secret,
  clock,
  progress: { offsets: nobody },
  streamLooks: { published: nobody, isParked: nobody },
  waits: { until: nobody },
  afterTimeoutMs: 1,
};

interface Called {
  readonly hash: string;
  readonly requestId: string;
  readonly answer?: StoredAnswer;
}

/** Answers of calls under an `Idempotency-Key`, and entries of the account's log, in memory. */
export class MemoryOnce implements IdempotencyStore {
  /** Actions of the entries. */
  readonly entries: string[] = [];
  readonly #calls = new Map<string, Called>();

  run(call: OnceCall, write: () => Promise<Written>): Promise<Answer> {
    const note = async () => {
      this.entries.push(call.logged.action);
    };
    return onceWithin({ answers: this, note }, call, write);
  }

  async begin(call: KeyedCall, { requestId, bodyHash: hash }: { requestId: string; bodyHash: string }): Promise<Begun> {
    const known = this.#calls.get(nameOf(call));
    if (known?.answer === undefined) {
      this.#calls.set(nameOf(call), { hash, requestId });
      return { kind: "run", requestId };
    }
    if (known.hash !== hash) return { kind: "reused" };
    return { kind: "answered", requestId: known.requestId, answer: known.answer };
  }

  async complete(call: KeyedCall, _requestId: string, answer: StoredAnswer): Promise<void> {
    const known = this.#calls.get(nameOf(call));
    if (known !== undefined) this.#calls.set(nameOf(call), { ...known, answer });
  }
}

function nameOf({ account, route, key }: KeyedCall): string {
  return `${account} ${route} ${key}`;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a key with every scope. */
  readonly key?: string;
}

const callers: Readonly<Record<string, Caller>> = {
  owner: { kind: "key", id: "k0", name: "owner", account, scopes: ["read", "write", "admin", "intake"] },
};
const anyRate = { perSecond: () => 10_000, usual: 10_000 };

/**
 * Serves routes over HTTP without a port, for all tests of a file.
 * @param routes called before each test's first call, so that a test may have ports of its own.
 */
export function serveRoutes(routes: () => readonly Route[], keys: Readonly<Record<string, Caller>> = {}) {
  let server: HttpServer;
  const known = { ...callers, ...keys };
  beforeAll(async () => {
    server = createHttpServer({
      logger: createLogger({ name: "test", level: "silent" }),
      metrics: createMetrics({ processMetrics: false }),
      plainHttp: "loopback",
      keys: { find: (key) => known[key], changed: () => undefined, usedSince: () => [] },
      clock,
      rateClasses: { read: anyRate, write: anyRate, jobStart: anyRate },
      defaultRateClass: "read",
      document: { title: "test", version: "1", description: "routes of one folder" },
    });
    server.add(...routes());
    await server.ready();
  });
  afterAll(() => server.stop());
  return async (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string, sent: Sent = {}) => {
    const proof = Buffer.from(`${sent.key ?? "owner"}:`).toString("base64");
    const answer = await server.inject({
      method,
      url,
      headers: {
        authorization: `Basic ${proof}`,
        ...(sent.body !== undefined && { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { payload: JSON.stringify(sent.body) }),
    });
    return { status: answer.statusCode, body: z.record(z.string(), z.unknown()).parse(answer.json()) };
  };
}
