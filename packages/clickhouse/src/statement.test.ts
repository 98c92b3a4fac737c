import { expect, test } from "vitest";
import { FORM_LIMITS, toSentStatement } from "./statement.ts";

const names = Array.from({ length: FORM_LIMITS.parameters }, (_, index) => `p${index}`);
const sqlOf = (all: readonly string[]) => `SELECT ${all.map((name) => `{${name}:String}`).join(", ")}`;
const texts = Object.fromEntries(names.map((name) => [name, "text"]));

test("a statement of few short parameters is sent as it is", () => {
  expect(toSentStatement(sqlOf(names), texts)).toEqual({ query: sqlOf(names), query_params: texts });
});

test("too many parameters become literals of their types, whose text never ends the literal", () => {
  const placeholders = ["text:String", "n:UInt64", "at:DateTime64(3, 'UTC')", "all:Array(String)", "b: Bool"];
  const sql = `${sqlOf(names)}, ${placeholders.map((one) => `{${one}}`).join(", ")}`;
  const others = { text: "it's \\ {n:UInt64}", n: 7, at: "2026-01-31 00:00:00.000", all: ["a'b", "c"], b: true };
  const sent = toSentStatement(sql, { ...texts, ...others });
  const literals = [
    String.raw`'it\'s \\ {n:UInt64}'`,
    "CAST('7', 'UInt64')",
    String.raw`CAST('2026-01-31 00:00:00.000', 'DateTime64(3, \'UTC\')')`,
    String.raw`CAST('[\'a\\\'b\',\'c\']', 'Array(String)')`,
    "CAST('true', 'Bool')",
  ];
  const query = `SELECT ${[...names.map(() => "'text'"), ...literals].join(", ")}`;
  expect(sent).toEqual({ query, query_params: {}, use_multipart_params_auto: false });
});

test("a value or a statement too long for a field goes in the body", () => {
  const long = "x".repeat(FORM_LIMITS.characters + 1);
  expect(toSentStatement("SELECT {a:String}", { a: long }).query).toBe(`SELECT '${long}'`);
  expect(toSentStatement(`SELECT '${long}', {a:String}`, { a: "b" }).query).toBe(`SELECT '${long}', 'b'`);
});

test("a long value that is named often stays a parameter, so that the statement does not grow with it", () => {
  const sql = `${sqlOf(names)}, {one:String}, ${"{often:String}, ".repeat(100)}1`;
  const often = "x".repeat(1_000);
  const { query, query_params } = toSentStatement(sql, { ...texts, one: "1", often });
  expect(query_params).toEqual({ often });
  expect(query.length).toBeLessThan(sql.length + 100);
});
