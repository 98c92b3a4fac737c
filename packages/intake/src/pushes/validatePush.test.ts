import { defaultSettings } from "@headwater/contracts";
import { hasForbiddenText, runAtOnce } from "@headwater/kernel";
import { describe, expect, test } from "vitest";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { Part } from "../partners/push.ts";
import { partnerEndpoints } from "../partners/registry.ts";
import { validatePush } from "./validatePush.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const UNSTORABLE = ["\u0000", "a\ud800b", `${"long ".repeat(1_000)}\udc00`];

/** The body once for each of its texts, with another text in its place. */
function* withText(value: unknown, text: string): Generator<unknown> {
  if (typeof value === "string") yield text;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const changed of withText(member, text)) {
      yield Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    }
  }
}

/** Members of the records that a push becomes; none of one that is refused whole. */
function recordsOf(endpoint: PartnerEndpoint, body: unknown): object[] {
  const parsed = endpoint.body.safeParse(body);
  if (!parsed.success) return [];
  const context = { settings: defaultSettings, accountId: account.id, nowMs: 0, bodyHash: "b" };
  const parts = endpoint.map(parsed.data, context).parts.map(withList);
  const push = { endpoint, account, scopes: ["intake"], nowMs: 0, requestId: "r", isSuspicious: true, body };
  try {
    const { items } = runAtOnce(validatePush(parts, push));
    return [...items.values()].flat().flatMap(({ records }) => records.map(({ members }) => members));
  } catch (error) {
    if (error instanceof Error && error.name === "HeadwaterError") return [];
    throw error;
  }
}

function withList(part: Part): Part {
  return part.kind === "refused" || part.list === undefined ? part : { ...part, body: { ...part.body, listId: 1 } };
}

/** Validates a body as the endpoint of that path does. */
function validated(path: string, body: object) {
  const endpoint = partnerEndpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error("there is no such endpoint");
  const context = { settings: defaultSettings, accountId: account.id, nowMs: 0, bodyHash: "b" };
  const { parts } = endpoint.map(endpoint.body.parse(body), context);
  const push = { endpoint, account, scopes: [], nowMs: 0, requestId: "r", isSuspicious: false, body };
  return runAtOnce(validatePush(parts, push));
}

test("a reason speaks of the push as it was sent", () => {
  const body = { anonymousId: "a", action: "x".repeat(41) };
  const message = "`action` must have at most 40 characters.";
  expect(() => validated("/api/pipeline/createContactactivity", body)).toThrow(
    expect.objectContaining({ message, details: [{ path: "/action", code: "too_long", message }] }),
  );
});

test.each([
  [{ suppressTriggers: true }, { suppressTriggers: true }],
  [{ suppressTriggers: false }, { suppressTriggers: false }],
  [{}, {}],
])("records of a push with %j start as much as it says", (members, expected) => {
  const body = { anonymousId: "a", action: "buy", ...members };
  const { items } = validated("/api/pipeline/createContactactivity", body);
  const [record] = [...items.values()].flat().flatMap(({ records }) => records);
  expect(record?.members).toMatchObject(expected);
  expect(record?.members).toHaveProperty("event");
  if (!("suppressTriggers" in expected)) expect(record?.members).not.toHaveProperty("suppressTriggers");
});

test("a reason of an order speaks of the event as it was sent", () => {
  const action = {
    type: "product_action",
    action: "purchase",
    transaction_id: "A-1",
    products: [{ id: 1, name: "n" }],
  };
  const body = {
    type: "event_processing_request",
    id: "m",
    timestamp_ms: 1,
    account: { account_settings: {} },
    user_identities: [{ type: "email", value: "ann@x.org" }],
    events: [{ ...action, tax_amount: "none" }],
  };
  const { items } = validated("/api/cdpsync/eventProcessing", body);
  const records = [...items.values()].flat().flatMap((item) => item.records.map(({ members }) => members));
  expect(records).toMatchObject([
    { path: "/events/0/tax_amount", message: expect.stringMatching(/^`events\.0\.tax_amount` /), part: body.events[0] },
  ]);
});

test("a push that is one item and too large for one is refused as such a call of intake is", () => {
  const body = { anonymousId: "a", attributes: { note: "x".repeat(256 * 1024) } };
  const limit = { what: "bytes", max: 256 * 1024 };
  expect(() => validated("/api/pipeline/upsertContact", body)).toThrow(
    expect.objectContaining({ code: "PAYLOAD_TOO_LARGE", status: 413, extra: { limit } }),
  );
});

test("what is refused of a push that its sender names has one name in all repeats, and its parts have their own", () => {
  const [endpoint] = partnerEndpoints;
  if (endpoint === undefined) throw new Error("there is no endpoint");
  const reason = { kind: "refused", verdict: "rejected", code: "VALIDATION_ERROR", message: "no", part: 1 } as const;
  const parts = ["/events/0", "/events/1"].map((path) => ({ ...reason, path }));
  const namesOf = (requestId: string, name?: string) => {
    const push = { endpoint, account, scopes: [], nowMs: 0, requestId, name, isSuspicious: false, body: {} };
    const { items } = runAtOnce(validatePush(parts, push));
    return [...items.values()].flat().map(({ once }) => once);
  };
  expect(namesOf("r1")).toEqual([undefined, undefined]);
  const names = namesOf("r2", "m");
  expect(new Set(names).size).toBe(2);
  expect(namesOf("r3", "m")).toEqual(names);
  expect(namesOf("r4", "n")).not.toEqual(names);
});

describe.each(partnerEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
  "a push to %s",
  (_path, endpoint) => {
    test.each(UNSTORABLE)("with text that no store takes becomes records that it takes: %#", (text) => {
      const records = [...withText(endpoint.sample, text)].flatMap((body) => recordsOf(endpoint, body));
      expect(records.filter(hasForbiddenText)).toEqual([]);
    });
  },
);
