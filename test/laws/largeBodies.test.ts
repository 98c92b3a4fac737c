import { type Account, defaultSettings } from "@headwater/contracts";
import { parseJsonBody } from "@headwater/http";
import { readBatch, readLines } from "@headwater/intake/body/readItems";
import { toEntries } from "@headwater/intake/entry/entries";
import type { PartnerEndpoint } from "@headwater/intake/partners/endpoint";
import type { Part } from "@headwater/intake/partners/push";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { mapPush, parsePush } from "@headwater/intake/pushes/readPush";
import { validatePush } from "@headwater/intake/pushes/validatePush";
import type { Sliced } from "@headwater/kernel";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX } from "./coreTime.ts";
import { bestMs } from "./longestStep.ts";

const BODY_BYTES = 10 * 1024 * 1024;
const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const push = { account, scopes: ["intake"], nowMs: 0, requestId: "law", isSuspicious: true };
const context = { settings: defaultSettings, accountId: account.id, nowMs: 0, bodyHash: "b" };
/** One fewer than the parser keeps, for the envelope around them. */
const OBJECTS_STORED = 999_990;

/** Values that cost most to parse, to copy or to look through, each as often as a body has space for. */
const dear: Readonly<Record<string, (bytes: number) => string>> = {
  "empty arrays": (bytes) => repeated("[]", bytes),
  "empty objects": (bytes) => repeated("{}", bytes),
  "as many objects as are kept": (bytes) =>
    `[${"{},".repeat(OBJECTS_STORED - 1)}{}${" ".repeat(bytes - 3 * OBJECTS_STORED - 2)}]`,
  "small objects": (bytes) => repeated('{"":{"":0}}', bytes),
  "small numbers": (bytes) => repeated("1", bytes),
  "long numbers": (bytes) => repeated("1234567890123456789.5", bytes),
  "escaped text": (bytes) => repeated('"\\u0061\\n"', bytes),
  "one text of quotes": (bytes) => `["${'\\"'.repeat(bytes / 2 - 4)}"]`,
  "very many names": (bytes) => `[${wide(bytes - 2)}]`,
  "nested objects": (bytes) => repeated('{"a":'.repeat(50) + 1 + "}".repeat(50), bytes),
  "levels without end": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  blanks: (bytes) => `[${" ".repeat(bytes - 4)}1]`,
};

function repeated(value: string, bytes: number): string {
  return `[${`${value},`.repeat(Math.floor(bytes / (value.length + 1)) - 1)}${value}]`;
}

function wide(bytes: number): string {
  const members = Array.from({ length: Math.floor(bytes / 12) }, (_, at) => `"${at.toString(36)}":0`);
  return `{${members.join(",")}}`;
}

const longestOf = (work: () => Sliced<unknown>): number => bestMs(work).ms;

const rules = { itemsMax: 1_000, decimalMembers: new Set(["tax"]) };
describe.each(Object.entries(dear))("10 MiB of %s", (_kind, make) => {
  test(`as a batch, in an envelope, beside one and as a line let go of the loop within ${CORE_MS_MAX} ms of a core`, () => {
    const value = make(BODY_BYTES - 100);
    const bodies = [`{"items":${value}}`, `{"items":[1],"others":${value}}`];
    const times = bodies.map((text) => longestOf(() => readBatch(text, rules)));
    times.push(longestOf(() => readLines(`${value}\n1`, rules)));
    expect(times.filter((ms) => ms > CORE_MS_MAX)).toEqual([]);
  });
});

/** The largest body that a route of `/v2` takes: an include. */
const SERVICE_BODY_BYTES = 5 * 1024 * 1024;

function* readForService(bytes: Buffer): Sliced<void> {
  try {
    yield* parseJsonBody(bytes, 400);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "HeadwaterError") throw error;
  }
}

describe.each(Object.entries(dear))("5 MiB of %s", (_kind, make) => {
  test(`as a body of /v2 let go of the loop within ${CORE_MS_MAX} ms of a core`, () => {
    const bytes = Buffer.from(make(SERVICE_BODY_BYTES));
    expect(longestOf(() => readForService(bytes))).toBeLessThanOrEqual(CORE_MS_MAX);
  });
});

/** Puts a text in the place of the first array of a push, or of its first object that is free-form. */
const positions = ["contacts", "add", "events", "user_profiles", "items", "products", "attributes", "properties"];

function pushesOf({ sample }: PartnerEndpoint, value: string): string[] {
  const text = JSON.stringify(sample);
  const inPlace = positions.flatMap((name) => {
    const array = new RegExp(`"${name}":[[{]`).exec(text);
    return array === null
      ? []
      : [`${text.slice(0, array.index)}"${name}":${value},"else":${text.slice(array.index + name.length + 3)}`];
  });
  return inPlace.slice(0, 1);
}

/** All that is done with a push between two waits for a store. */
function* taken(endpoint: PartnerEndpoint, text: string): Sliced<void> {
  try {
    const body = yield* parsePush(endpoint, Buffer.from(text));
    const { parts } = yield* mapPush(endpoint, body, context);
    const named = parts.map(withList);
    yield;
    const { items } = yield* validatePush(named, { ...push, endpoint, body });
    for (const accepted of items.values()) {
      const stamp = { requestId: "law", receivedAtMs: 0, isKeyed: false };
      yield* toEntries(accepted, stamp, { partitions: 8, recordsMax: 100_000 });
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "HeadwaterError") throw error;
  }
}

function withList(part: Part): Part {
  return part.kind === "refused" || part.list === undefined ? part : { ...part, body: { ...part.body, listId: 1 } };
}

/** Endpoints share their code: each is given one of the kinds, in turn, which keeps the file below a minute. */
const dearInPushes = ["empty objects", "as many objects as are kept", "very many names"] as const;
const pushed = partnerEndpoints.filter(({ auth }) => auth.kind !== "none");
describe.each(
  pushed.map((endpoint, at) => [endpoint.path, dearInPushes[at % dearInPushes.length] ?? "blanks", endpoint] as const),
)("a push of 10 MiB to %s of %s", (_path, kind, endpoint) => {
  test(`lets go of the loop within ${CORE_MS_MAX} ms of a core`, () => {
    const texts = pushesOf(endpoint, dear[kind]?.(BODY_BYTES - 2_000) ?? "1");
    expect(texts.map((text) => longestOf(() => taken(endpoint, text))).filter((ms) => ms > CORE_MS_MAX)).toEqual([]);
  });
});
