import { describe, expect, test } from "vitest";
import {
  linkParameterBounds,
  messagingSettings,
  PREFERENCE_LISTS_MAX,
  writtenMessagingSettings,
} from "./messagingSettings.ts";

const isValid = (linkParameters: unknown) => messagingSettings.safeParse({ linkParameters }).success;

describe("domains", () => {
  const parse = (domains: unknown) => messagingSettings.safeParse({ domains });
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "a.example"]));

  test("are host names by key, at most 20, in lower case", () => {
    expect(messagingSettings.parse({}).domains).toEqual({});
    expect(messagingSettings.parse({ domains: { shop: "Links.Shop.Example", dev: "localhost:80" } }).domains).toEqual({
      shop: "links.shop.example",
      dev: "localhost:80",
    });
    expect([parse(many(20)).success, parse(many(21)).success]).toEqual([true, false]);
  });

  test.each([
    "",
    "https://a.example",
    "a.example/path",
    "a.example:port",
    "-a.example",
    "a b",
    "a.example\r\nX: y",
    `${"a".repeat(254)}`,
  ])("refuse %j", (host) => {
    expect(parse({ shop: host }).success).toBe(false);
  });
});

describe("link parameters", () => {
  const { count, nameCharacters, valueCharacters } = linkParameterBounds;
  const parameters = (number: number) => Object.fromEntries(Array.from({ length: number }, (_, at) => [`p${at}`, "x"]));

  test("are none by default", () => expect(messagingSettings.parse({}).linkParameters).toEqual({}));

  test("are valid up to each bound and refused past it", () => {
    expect([isValid(parameters(count)), isValid(parameters(count + 1))]).toEqual([true, false]);
    const [name, text] = ["n".repeat(nameCharacters), "x".repeat(valueCharacters)];
    expect([isValid({ [name]: text }), isValid({ [`${name}n`]: "x" }), isValid({ a: `${text}x` })]).toEqual([
      ...[true, false, false],
    ]);
  });

  test.each(["", "a b", "a=b", "a&b", "a/b", "a#b", "ä"])("may not be named %j", (name) =>
    expect(isValid({ [name]: "x" })).toBe(false),
  );

  test.each(["", 1, null, ["x"], {}])("may not be %j", (value) => expect(isValid({ a: value })).toBe(false));
});

describe("lists of the unsubscribe page", () => {
  const isTaken = (preferenceLists: unknown) => messagingSettings.safeParse({ preferenceLists }).success;
  const lists = (count: number) => Array.from({ length: count }, (_, at) => `list-${at}`);

  test("are none by default, and keep their order", () => {
    expect(messagingSettings.parse({}).preferenceLists).toEqual([]);
    expect(messagingSettings.parse({ preferenceLists: ["b", "a"] }).preferenceLists).toEqual(["b", "a"]);
  });

  test("are valid up to each bound and refused past it", () => {
    expect([isTaken(lists(PREFERENCE_LISTS_MAX)), isTaken(lists(PREFERENCE_LISTS_MAX + 1))]).toEqual([true, false]);
    expect([isTaken(["n".repeat(128)]), isTaken(["n".repeat(129)])]).toEqual([true, false]);
  });

  test.each([[""], ["a b"], ["ä"], ["cid"], [7], ["news", "NEWS"]])("may not be %j", (...input) =>
    expect(isTaken(input)).toBe(false),
  );
});

test.each([
  [{ softBounces: { count: 31, days: 30 } }, ["softBounces", "count"]],
  [{ softBounces: { days: 4 } }, ["softBounces", "count"]],
  [{ smsKeywords: { stop: [] } }, ["smsKeywords", "stop"]],
])("rules that cannot be meant are refused when they are written and still read: %j", (rules, path) => {
  expect(writtenMessagingSettings.safeParse(rules).error?.issues).toMatchObject([{ path }]);
  expect(messagingSettings.safeParse(rules).success).toBe(true);
  expect(writtenMessagingSettings.safeParse({ softBounces: { count: 30, days: 30 } }).success).toBe(true);
});
