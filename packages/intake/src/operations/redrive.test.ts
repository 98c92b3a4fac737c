import { type Account, defaultSettings, type JsonPatch, jsonPatch } from "@headwater/contracts";
import { expect, test } from "vitest";
import { itemOfRecord, redriveText, validateRedrive } from "./redrive.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const nowMs = Date.parse("2026-11-21T00:00:00Z");
const event = { name: "browse", time: "2026-01-09T22:47:12Z" };
const contact = { identifiers: { email: "ann@x.org" } };
const activity = {
  operation: "createContactactivities",
  payload: JSON.stringify({ id: "r:0:3", receivedAt: 1, keyed: true, source: "shop", contact, event }),
};

function validate(patch: JsonPatch | undefined, { refused = activity, scopes = [] as readonly string[] } = {}) {
  return validateRedrive(refused, { account, patch, nowMs, scopes });
}

test("a refused record is shown as the item it would have been alone", () => {
  expect(itemOfRecord(activity)).toEqual({ source: "shop", contact, contactactivities: [event] });
  expect(itemOfRecord({ operation: "", payload: '"AAAA"' })).toBe("AAAA");
});

test("a patch changes the item, and with it the contact that decides the partition", () => {
  const patch: JsonPatch = [
    { op: "test", path: "/source", value: "shop" },
    { op: "replace", path: "/contact/identifiers/email", value: "Bea@X.org" },
    { op: "add", path: "/contactactivities/0/properties", value: { n: 1 } },
  ];
  const before = structuredClone(patch);
  const verdict = validate(patch);
  if (verdict.kind !== "passes") throw new Error("it passes");
  expect(verdict.record.identity).toContain("bea@x.org");
  const stamp = { id: "job:0:0", receivedAt: 5, redriveOf: "r:0:3" };
  expect(JSON.parse(redriveText(stamp, verdict.source, verdict.record))).toEqual({
    ...stamp,
    source: "shop",
    contact: { identifiers: { email: "Bea@X.org" } },
    event: { ...event, properties: { n: 1 } },
  });
  expect(patch).toEqual(before);
});

test.each([
  [{ row: 7 }, { suppressTriggers: true }],
  [{ row: 7, suppressTriggers: false }, { suppressTriggers: false }],
  [{ suppressTriggers: true }, { suppressTriggers: true }],
  [{}, {}],
])("a record with %j starts as much as before when it is written again", (members, expected) => {
  const payload = JSON.stringify({ ...JSON.parse(activity.payload), ...members });
  const verdict = validate(undefined, { refused: { ...activity, payload } });
  expect(verdict.kind === "passes" ? verdict.record.members : verdict).toEqual({ contact, event, ...expected });
});

test("what a patch takes from one record is not missing in the next", () => {
  const patch: JsonPatch = [
    { op: "add", path: "/contactactivities/0/properties", value: { list: [] } },
    { op: "add", path: "/contactactivities/0/properties/list/-", value: 1 },
  ];
  const texts = [validate(patch), validate(patch)].map((verdict) => JSON.stringify(verdict));
  expect(texts[0]).toBe(texts[1]);
});

test.each<[string, JsonPatch, { code: string; path: string }]>([
  ["does not fit", [{ op: "remove", path: "/nothing" }], { code: "VALIDATION_ERROR", path: "/nothing" }],
  ["is tested in vain", [{ op: "test", path: "/source", value: "x" }], { code: "VALIDATION_ERROR", path: "/source" }],
  ["takes what is needed", [{ op: "remove", path: "/contact" }], { code: "VALIDATION_ERROR", path: "/contact" }],
  [
    "makes two records of one",
    [{ op: "copy", from: "/contactactivities/0", path: "/contactactivities/-" }],
    { code: "VALIDATION_ERROR", path: "" },
  ],
  [
    "gives a reserved name",
    [{ op: "replace", path: "/contactactivities/0/name", value: "open" }],
    { code: "RESERVED_ACTION", path: "/contactactivities/0/name" },
  ],
  [
    "makes it too large",
    [{ op: "add", path: "/contactactivities/0/properties", value: { text: "x".repeat(300_000) } }],
    { code: "PAYLOAD_TOO_LARGE", path: "" },
  ],
  ["holds NUL", [{ op: "replace", path: "/source", value: "\u0000" }], { code: "VALIDATION_ERROR", path: "" }],
  ["leaves nothing", [{ op: "replace", path: "", value: null }], { code: "VALIDATION_ERROR", path: "" }],
])("a patch that %s fails by validation", (_what, patch, expected) => {
  expect(validate(patch)).toMatchObject({ kind: "fails", ...expected });
});

test("a reserved name that a sending system gave passes unpatched, whoever writes it again", () => {
  const payload = JSON.stringify({ id: "r:0:0", receivedAt: 1, contact, event: { ...event, name: "open" } });
  expect(validate(undefined, { refused: { ...activity, payload } }).kind).toBe("passes");
});

test("what only a push may say passes again, patched or not; a patch of what intake took may not say it", () => {
  const of = (more: object) => {
    const payload = JSON.stringify({
      id: "r:0:0",
      receivedAt: 1,
      source: "pipeline",
      contact: { ...contact, ...more },
    });
    return { refused: { operation: "upsertContact", payload } };
  };
  const other: JsonPatch = [{ op: "replace", path: "/identifiers/email", value: "bea@x.org" }];
  const byPush = of({ canBeCreated: true });
  expect([validate(undefined, byPush).kind, validate(other, byPush).kind]).toEqual(["passes", "passes"]);
  const created: JsonPatch = [{ op: "add", path: "/canBeCreated", value: true }];
  expect(validate(created, of({}))).toMatchObject({ kind: "fails", path: "/attributes" });
});

test("a refused part of a push is shown as it was sent, and cannot be written again", () => {
  const part = { type: "custom_event", id: "3" };
  const push = "cdpsync/eventProcessing";
  const members = { push, verdict: "rejected", code: "VALIDATION_ERROR", path: "/events/2", message: "No name.", part };
  const refused = { operation: "setAside", payload: JSON.stringify({ id: "r:2:0", receivedAt: 1, ...members }) };
  expect(itemOfRecord(refused)).toEqual({ push, part });
  expect(validate(undefined, { refused })).toMatchObject({ kind: "fails", code: "VALIDATION_ERROR", path: "" });
});

test("a message nobody can read fails", () => {
  expect(validate(undefined, { refused: { operation: "", payload: '"AAAA"' } })).toMatchObject({ kind: "fails" });
});

test.each([
  [{ op: "add", path: "/a" }],
  [{ op: "remove", path: "a" }],
  [{ op: "add", path: "/a/__proto__/b", value: 1 }],
  [{ op: "merge", path: "/a", value: 1 }],
  [{ op: "remove", path: "/a", from: "/b" }],
])("%j is no step of a patch", (step) => {
  expect(jsonPatch.safeParse([step]).success).toBe(false);
  expect(jsonPatch.safeParse([{ op: "add", path: "/a~1b/-", value: null }]).success).toBe(true);
});

test("a patch that copies the whole into itself a hundred times is refused before it grows", () => {
  const payload = JSON.stringify({
    id: "r:0:3",
    receivedAt: 1,
    contact,
    event: { ...event, properties: { a: "x".repeat(100_000) } },
  });
  const refused = { operation: "createContactactivities", payload };
  const patch = Array.from({ length: 100 }, (_, at) => ({ op: "copy" as const, from: "", path: `/contact/c${at}` }));
  expect(validate(patch, { refused })).toMatchObject({ kind: "fails", code: "PAYLOAD_TOO_LARGE" });
});
