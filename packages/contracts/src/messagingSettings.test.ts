import { describe, expect, test } from "vitest";
import { linkParameterBounds, messagingSettings, PREFERENCE_LISTS_MAX } from "./messagingSettings.ts";

const isValid = (linkParameters: unknown) => messagingSettings.safeParse({ linkParameters }).success;

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

  test.each([[""], ["a b"], ["ä"], ["cid"], [7], ["news", "NEWS"]])("may not be %j", (...given) =>
    expect(isTaken(given)).toBe(false),
  );
});
