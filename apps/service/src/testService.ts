import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, accountSettings } from "@headwater/contracts";
import type { Caller, HttpServer, KeyCache } from "@headwater/http";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createLogger, createMetrics, newAccountId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { createServiceServer, type ServiceOptions } from "./serviceServer.ts";

const logger = createLogger({ name: "test", level: "silent" });
/** Calls of one account come faster here than any person's. Each class has a rate of its own, by which an answer tells it. */
export const limits = {
  readPerSecond: 10_000,
  writePerSecond: 20_000,
  jobStartPerSecond: 30_000,
  audienceCountPerSecond: 40_000,
};
const secret = "s".repeat(32);

const operationShape = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  responses: z.record(z.string(), z.unknown()),
  requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown() }).partial()) }).optional(),
});
const pathsShape = z.record(z.string(), z.record(z.string(), operationShape));

type Operation = z.output<typeof operationShape> & { readonly method: string; readonly path: string };

/** Statuses that a route answers for reasons of its own; `routeStatuses.test.ts` has those that all routes share. */
const OWN_STATUS = /^(2\d\d|404|416)$/;

export interface Call {
  /** Values of the path; default for those of one name that every route takes. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Default: the example of the document. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The call has no key. */
  readonly isAnonymous?: boolean;
}

export interface TestService {
  readonly account: Account;
  readonly postgres: Postgres;
  /** Calls an operation of the document. @returns its status, its headers, and its body where that is JSON. */
  send(operationId: string, call?: Call): Promise<Answered>;
  /** Answers of ClickHouse: rows by the statement; none until a test says otherwise. */
  rows: (sql: string) => readonly object[];
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: ReturnType<typeof JSON.parse>;
}

/**
 * Serves `/v2` over a Postgres in memory to all tests of a file, and a test at their end: each route of these tags has answered each status of
 * its own.
 * @param apart `operation status` of what this file cannot show, each with its reason next to it.
 */
export function serveService(
  tags: readonly string[],
  { apart = [], ...options }: Partial<ServiceOptions> & { readonly apart?: readonly string[] } = {},
): TestService {
  const answered = new Set<string>(apart);
  let started: Started;
  beforeAll(async () => {
    started = await start(options, (sql) => service.rows(sql));
  });
  afterAll(async () => {
    const missing = started.operations
      .filter((operation) => operation.tags.some((tag) => tags.includes(tag)))
      .flatMap((operation) => ownStatuses(operation).filter((status) => !answered.has(status)));
    await started.server.stop();
    await started.memory.stop();
    expect(missing, "statuses that no test of this file got").toEqual([]);
  });
  const service: TestService = {
    get account() {
      return started.account;
    },
    get postgres() {
      return started.memory.postgres;
    },
    rows: () => [],
    async send(operationId, call) {
      const answer = await sendTo(started, operationId, call);
      answered.add(`${operationId} ${answer.status}`);
      return answer;
    },
  };
  return service;
}

function ownStatuses({ operationId, responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status, answer]) => OWN_STATUS.test(status) && !isDryRunOnly(answer))
    .map(([status]) => `${operationId} ${status}`);
}

/** A 200 that only a dry run is answered with is shown for all writes together. */
function isDryRunOnly(answer: unknown): boolean {
  return JSON.stringify(answer).includes(`"schema":{"$ref":"#/components/schemas/DryRun"}`);
}

interface Started {
  readonly memory: MemoryPostgres;
  readonly server: HttpServer;
  readonly account: Account;
  readonly operations: readonly Operation[];
}

async function start(options: Partial<ServiceOptions>, rows: TestService["rows"]): Promise<Started> {
  const memory = await startMemoryPostgres();
  const { postgres } = memory;
  const account = await createAccount(postgres, {
    id: newAccountId(),
    name: "test",
    settings: accountSettings.parse({ limits }),
  });
  const scopes = ["read", "write", "admin", "intake"];
  const caller: Caller = { kind: "key", id: "k1", name: "first key", account, scopes };
  const keys: KeyCache = { find: () => caller, changed: () => undefined, usedSince: () => [] };
  const server = createServiceServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    postgres,
    clickHouse: clickHouseOf(rows),
    producer: { append: async () => [] },
    highWatermarks: async () => [],
    keys,
    secret,
    files: createFileStore({ folder: join(tmpdir(), "headwater-test-files") }),
    ...options,
  });
  await server.ready();
  const paths = Object.entries(pathsShape.parse(server.openApi().paths));
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return { memory, server, account, operations };
}

/** Answers rows that the test says, as JSON brings them. */
function clickHouseOf(rows: TestService["rows"]): ClickHouse {
  return {
    query: async (sql) => JSON.parse(JSON.stringify(rows(sql))),
    insertBlock: async () => undefined,
    command: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
  };
}

async function sendTo(
  { server, operations }: Started,
  operationId: string,
  { params = {}, query = "", body, headers = {}, isAnonymous = false }: Call = {},
): Promise<Answered> {
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
  const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  const payload = body ?? content?.example;
  const answer = await server.inject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).parse(operation.method),
    url: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? "")) + query,
    headers: {
      ...(!isAnonymous && { authorization: `Basic ${Buffer.from("owner:").toString("base64")}` }),
      ...(mediaType !== undefined && { "content-type": mediaType }),
      ...headers,
    },
    ...(payload !== undefined && { payload: typeof payload === "string" ? payload : JSON.stringify(payload) }),
  });
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  const parsed: Answered["body"] = isJson && answer.payload !== "" ? JSON.parse(answer.payload) : undefined;
  return { status: answer.statusCode, headers: answer.headers, body: parsed };
}
