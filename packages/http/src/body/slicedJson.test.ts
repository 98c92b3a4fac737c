import { isDeeperThan, runAtOnce } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyMember, parseExact } from "./exactNumbers.ts";
import { parseInSlices } from "./slicedJson.ts";

/** JSON_RUNS draws more texts. */
const RUNS = Number(process.env.JSON_RUNS || 3_000);

type Read = { readonly kind: "value"; readonly value: unknown; readonly text: string } | { readonly kind: "notJson" };

function read(parse: () => unknown): Read {
  try {
    const value = parse();
    // The text shows what equality does not: the order of members, and the sign of zero.
    return { kind: "value", value, text: JSON.stringify(value) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "notJson" };
    throw error;
  }
}

const whole = (text: string) => read(() => parseExact(text, everyMember));
const inPieces = (text: string, piece: number) => read(() => runAtOnce(parseInSlices(text, everyMember, piece)).value);

const name = fc.oneof(
  fc.constantFrom("__proto__", "a", "a", "", "attributes", "1", "0", "constructor", 'quo"te', "back\\"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const scalar = fc.oneof(
  fc.constantFrom('"\\""', '"\\\\"', '"[,]{}:"', "true", "null", "12345678901234567890", "-0", "1e400", "0.1"),
  fc.json({ maxDepth: 0 }),
);
const blank = fc.constantFrom("", "", "", " ", "\n\t\r ");
/** JSON as senders may write it: with blanks, names that come twice, and names of the language. */
const { text } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 6 },
    scalar,
    fc.array(fc.tuple(blank, tie("text"), blank).map((parts) => parts.join(""))).map((all) => `[${all.join(",")}]`),
    fc
      .array(fc.tuple(blank, name, blank, tie("text"), blank))
      .map((all) => all.map(([a, key, b, value, c]) => `${a}${JSON.stringify(key)}${b}:${value}${c}`))
      .map((all) => `{${all.join(",")}}`),
  ),
}));
const piece = fc.integer({ min: 1, max: 12 });

/** Cuts characters out of a text and puts others in, those that JSON is made of above all. */
const broken = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...'[]{},:"\\ 05-.etrunlsfa\u0001é')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([whole, edits]) =>
    edits.reduce((at, [path, cut, put]) => {
      const from = path % (at.length + 1);
      return at.slice(0, from) + put + at.slice(from + cut);
    }, whole),
  );

describe("a text that is parsed in pieces of any size", () => {
  test("has the value that it has as a whole", () => {
    fc.assert(
      fc.property(text, piece, (json, size) => {
        expect(inPieces(json, size)).toEqual(whole(json));
      }),
      { numRuns: RUNS / 3 },
    );
  });

  test("is refused when JSON.parse refuses it, and only then", () => {
    fc.assert(
      fc.property(broken, piece, (json, size) => {
        expect(inPieces(json, size)).toEqual(whole(json));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    "",
    " ",
    "1 2",
    "[1],",
    "[1],[2]",
    "[1][2]",
    "[,1]",
    "[1,]",
    "[1,,2]",
    "[[1] [2]]",
    "[[1],,[2]]",
    "[[1]5]",
    "[5[1]]",
    '{"a":[1]"b":[2]}',
    '{"a":[1],}',
    '{,"a":[1]}',
    "{[1]:2}",
    '{"a"[1]}',
    '{"a":5[1]}',
    "[[1]}",
    '{"a":1]',
    "]",
    '["a',
    '["a\\"]',
  ])("%j is no JSON", (json) => {
    for (let size = 1; size < 6; size++) expect(inPieces(json, size)).toEqual({ kind: "notJson" });
  });

  test("the last of a name counts, also where the first one was too large for one piece", () => {
    const long = `[${"1,".repeat(20)}1]`;
    for (const json of [`{"a":${long},"a":2}`, `{"a":1,"b":2,"a":${long}}`, `{"a":${long},"a":[7,7,7,7,7,7,7,7,7]}`]) {
      for (let size = 1; size < json.length; size++) expect(inPieces(json, size)).toEqual(whole(json));
    }
  });

  test("numbers keep their digits but in free-form members, however deep these are", () => {
    const long = "12345678901234567890";
    const json = `{"a":[${long},{"attributes":{"b":[${long},{"c":${long}}]},"d":${long}}],"attributes":[${long}],"e":${long}}`;
    for (let size = 1; size < json.length; size++) expect(inPieces(json, size)).toEqual(whole(json));
  });
});

describe("an object of very many members", () => {
  const wide = (names: number, end = "") =>
    `{${Array.from({ length: names }, (_, at) => `"name-${at}":${at}`).join(",")}${end}}`;

  test("keeps the first 50,000 names, and reports the level of the object that had more", () => {
    const whole = runAtOnce(parseInSlices(`[1,${wide(50_000)}]`, everyMember));
    expect(whole.wideLevel).toBeUndefined();
    const { value, wideLevel } = runAtOnce(parseInSlices(`[1,${wide(60_000, ',"name-7":"last"')}]`, everyMember));
    expect(wideLevel).toBe(2);
    const object: object = JSON.parse(wide(50_000));
    expect(value).toEqual([1, { ...object, "name-7": "last" }]);
  });
});

test("a value of very many objects and arrays keeps the first million, and says that there were more", () => {
  const emptyOnes = (count: number) => `[${"{},".repeat(count - 1)}{}]`;
  const atBound = runAtOnce(parseInSlices(emptyOnes(999_999), everyMember));
  expect(atBound).toMatchObject({ isCrowded: false, value: { length: 999_999 } });
  const above = runAtOnce(parseInSlices(`{"a":${emptyOnes(3_000_000)},"b":1}`, everyMember));
  expect(above.isCrowded).toBe(true);
  expect(above.value).not.toHaveProperty("b");
});

describe("nesting without end", () => {
  const deep = (levels: number, inner: string) => "[".repeat(levels) + inner + "]".repeat(levels);

  test("is read to its end, and stays deeper than anything may be", () => {
    const { value } = runAtOnce(parseInSlices(deep(300_000, "1"), everyMember));
    expect(isDeeperThan(value, 64)).toBe(true);
  });

  test("does not hide that a text is broken", () => {
    for (const inner of ["1,", ",", "{", "1 1", '"'])
      expect(() => runAtOnce(parseInSlices(deep(300_000, inner), everyMember))).toThrow(SyntaxError);
  });
});
