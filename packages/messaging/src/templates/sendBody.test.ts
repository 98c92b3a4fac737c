import { describe, expect, test } from "vitest";
import { sendBody, sendLimits } from "./sendBody.ts";

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, 1]));
const codesOf = (body: unknown) =>
  sendBody.safeParse(body).error?.issues.flatMap((issue) => ("params" in issue ? [issue.params?.code] : [issue.code]));

describe("a recipient of a template", () => {
  test("has at most 1,000 members", () => {
    expect(codesOf({ to: named(sendLimits.members) })).toBeUndefined();
    expect(codesOf({ to: [named(sendLimits.members + 1)] })).toEqual(["too_many"]);
  });

  test("has names of 1 to 1,024 characters", () => {
    expect(codesOf({ to: { ["n".repeat(sendLimits.nameCharacters)]: 1 } })).toBeUndefined();
    expect(codesOf({ to: { ["n".repeat(sendLimits.nameCharacters + 1)]: 1 } })).toEqual(["too_long"]);
    expect(codesOf({ to: { "": 1 } })).toEqual(["too_long"]);
  });

  test("is an object with members", () => {
    expect(codesOf({ to: {} })).toEqual(["required"]);
    expect(codesOf({ to: [] })).toEqual(["too_small"]);
    for (const to of [[[]], "ada@example.com", null]) expect(codesOf({ to })).toEqual(["invalid_union"]);
  });
});

describe("mergeData", () => {
  test("is an object of at most 256 KiB", () => {
    const to = { email: "ada@example.com" };
    const filled = (bytes: number) => ({ to, mergeData: { a: "x".repeat(bytes - '{"a":""}'.length) } });
    expect(codesOf(filled(256 * 1024))).toBeUndefined();
    expect(codesOf(filled(256 * 1024 + 1))).toEqual(["too_long"]);
    expect(codesOf({ to, mergeData: [] })).toEqual(["type_mismatch"]);
  });

  test("holds no number that no double holds", () => {
    const mergeData = JSON.parse('{"n": 1e308, "items": [{"price": 1e400}]}');
    expect(codesOf({ to: { email: "ada@example.com" }, mergeData })).toEqual(["bad_value"]);
  });
});
