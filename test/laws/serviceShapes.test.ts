import { createStoredApiKeys } from "@headwater/accounts/apiKeys/apiKeyStore";
import { createCursors } from "@headwater/api/paging/cursors";
import { createBody, updateBody } from "@headwater/audiences/audiences/routes";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createKeyCache, everyMember, parseExact, type Route } from "@headwater/http";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import { createLogger, createOutbound, safeParse, systemClock, toDetails } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { routesOf } from "../../apps/service/src/routes.ts";
import { CORE_MS_MAX, coreMs, lawRuns } from "./coreTime.ts";
import { type MemberKind, memberKinds, membersOf } from "./members.ts";

const RUNS = lawRuns(4);
/** The parser refuses an object of more names. */
const NAMES_MAX = 50_000;
const WIDE_ELEMENTS = 20;
const NOWHERE = "127.0.0.1:1/nowhere";
const logger = createLogger({ name: "law", level: "silent" });
const refuse = () => Promise.reject(new Error("a law has no stores"));

/** Routes as the service makes them; no store is asked. */
function routes(): readonly Route[] {
  const pool = { poolMax: 1, applicationName: "law", statementTimeoutMs: 1_000, logger };
  const postgres = createPostgres({ url: `postgres://${NOWHERE}`, ...pool });
  return routesOf({
    postgres,
    apiKeys: createStoredApiKeys(postgres),
    accountHooks: { checkChanges: refuse, sendHoursChanged: refuse },
    jobCancels: {},
    clickHouse: createClickHouse({ url: `http://${NOWHERE}`, requestTimeoutMs: 1_000, logger }),
    queue: createJobQueue(),
    files: createFileStore({ folder: "nowhere" }),
    progress: { offsets: refuse },
    streamLooks: { published: refuse, isParked: refuse },
    waits: { until: refuse },
    keys: createKeyCache({ find: refuse, logger }),
    clock: systemClock,
    logger,
    producer: { append: refuse },
    secret: "",
    sealer: undefined,
    canMail: false,
    outbound: createOutbound({ allow: [] }),
    transportOutbound: createOutbound({ allow: [] }),
    resolveTxt: refuse,
    isDevelopment: false,
    alertsOf: refuse,
    renders: { checkExpressions: refuse, prepare: refuse, render: refuse, compose: refuse, close: refuse },
    storages: createStorageSandbox(),
    mapper: { check: refuse, map: refuse, close: refuse },
    trackingUrl: "http://127.0.0.1:1",
    cursors: createCursors(""),
    highWatermarks: refuse,
    sampleLog: refuse,
    afterTimeoutMs: 1,
    freshness: refuse,
    attributeRules: { of: refuse, forget: () => undefined },
    aliasRevisions: { lastSeen: refuse, saw: () => undefined },
    seenNames: { has: () => false, add: () => undefined },
  });
}

/** Bodies that the handler checks more closely than their documents say. */
const closer: Readonly<Record<string, z.ZodType>> = {
  createAudience: createBody,
  updateAudience: updateBody,
};

const shaped = routes().flatMap(({ operationId, shapes, bodyRules, requestExample }) => {
  const shape = closer[operationId] ?? shapes.body;
  return shape instanceof z.ZodType && bodyRules !== undefined
    ? [{ operationId, shape, bytes: bodyRules.bytesMax - 4_096, example: requestExample ?? {} }]
    : [];
});

const fillings = ["members", "wide elements", "elements", "text", "nested"] as const;

interface Filling {
  readonly what: (typeof fillings)[number];
  readonly kind: MemberKind;
  readonly bytes: number;
  /** Position of the value that is filled, counted through the example. */
  readonly at: number;
}

/** Returns the example with one of its values, or all of it, as large as the body may be. */
function filled(example: unknown, filling: Filling): unknown {
  const positions: string[][] = [[]];
  const read = (value: unknown, path: string[]): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      positions.push([...path, name]);
      read(inner, [...path, name]);
    }
  };
  read(example, []);
  return put(example, positions[filling.at % positions.length] ?? [], filling);
}

function put(value: unknown, [name, ...rest]: readonly string[], filling: Filling): unknown {
  if (name === undefined) return grown(value, filling);
  const inner: unknown = Reflect.get(Object(value), name);
  const changed = put(inner, rest, filling);
  if (Array.isArray(value)) return value.map((one, index) => (String(index) === name ? changed : one));
  return { ...Object(value), [name]: changed };
}

function grown(value: unknown, { what, kind, bytes }: Filling): unknown {
  if (what === "text") return "x".repeat(bytes);
  if (what === "nested") return JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`);
  const widened = (most: number) => membersOf(kind, { bytes: most, membersMax: NAMES_MAX, levelsMax: 40 });
  if (what === "members") return { ...Object(value), ...widened(bytes) };
  const element = Array.isArray(value) && value.length > 0 ? value[0] : value;
  if (what === "wide elements") {
    return Array.from({ length: WIDE_ELEMENTS }, () => ({ ...Object(element), ...widened(bytes / WIDE_ELEMENTS) }));
  }
  const each = JSON.stringify(element).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / each)) }, () => element);
}

describe.each(shaped.map((route) => [route.operationId, route] as const))("the shape of %s", (_id, route) => {
  const { shape, bytes, example } = route;
  test(`is checked, and its problems reported, in less than ${CORE_MS_MAX} ms of a core each`, () => {
    const drawn = { what: fc.constantFrom(...fillings), kind: fc.constantFrom(...memberKinds), at: fc.nat(40) };
    fc.assert(
      fc.property(fc.record(drawn), (filling) => {
        const value = parseExact(JSON.stringify(filled(example, { ...filling, bytes })), everyMember);
        const times = { check: coreMs(() => safeParse(shape, value)), details: 0 };
        const parsed = safeParse(shape, value);
        if (!parsed.success) times.details = coreMs(() => toDetails(parsed.error));
        expect(Object.entries(times).filter(([, ms]) => ms > CORE_MS_MAX)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

test("every route that takes a body is drawn", () => {
  const taking = routes().filter(({ bodyRules }) => bodyRules !== undefined);
  expect(shaped.map(({ operationId }) => operationId)).toEqual(taking.map(({ operationId }) => operationId));
});
