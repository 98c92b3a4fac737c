import { expect, test } from "vitest";
import { createMemoryTerminal } from "../memoryTerminal.ts";
import { parseOptions } from "../options.ts";
import { showOne, showRows } from "./show.ts";

const rows = [
  { name: 'say "hi", you', n: 1, more: { a: [1] } },
  { name: "two\nlines", n: 200, more: null },
];

const contactMembers = ["cID", "channels", "channels.*", "channels.*.address", "attributes.**"];

function view(options: object, one = false, isOutTerminal = false): string {
  const { terminal, out } = createMemoryTerminal({ isOutTerminal });
  const call = { terminal, options: parseOptions(options) };
  if (one) showOne(call, { name: "x", n: 1 });
  else showRows(call, ["name", "n"], rows);
  return out();
}

test("a table has aligned columns, numbers to the right, and no cell breaks its line", () => {
  expect(view({})).toBe('NAME             N\nsay "hi", you    1\ntwo lines      200\n');
});

test("JSON is one line for programs and indented for people, and --json is short for it", () => {
  expect(view({ json: true })).toBe(`${JSON.stringify(rows)}\n`);
  expect(view({ output: "json" }, false, true)).toBe(`${JSON.stringify(rows, undefined, 2)}\n`);
  expect(view({ output: "json" }, true)).toBe('{"name":"x","n":1}\n');
});

test("NDJSON is one object a line", () => {
  expect(
    view({ output: "ndjson" })
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(rows);
});

test("CSV quotes what needs it", () => {
  expect(view({ output: "csv" })).toBe('name,n\n"say ""hi"", you",1\n"two\nlines",200\n');
});

test("--fields selects the members that it names in its order, and refuses one that no row has", () => {
  expect(view({ output: "csv", fields: "n, name" })).toMatch(/^n,name\n1,/);
  expect(view({ json: true, fields: "more" })).toBe('[{"more":{"a":[1]}},{"more":null}]\n');
  expect(() => view({ fields: "nam" })).toThrow(
    "--fields: nam is not a member. Did you mean name? The members are name, n, more.",
  );
});

test("--fields shows a member without a value as null, and as an empty cell", () => {
  const { terminal, out } = createMemoryTerminal();
  const show = (output: string, fields: string) =>
    showOne({ terminal, options: parseOptions({ output, fields }) }, { cID: "1" }, contactMembers);
  show("json", "cID,attributes.nickname,channels.email.address");
  show("csv", "cID,attributes.nickname");
  expect(out()).toBe(
    '{"cID":"1","attributes.nickname":null,"channels.email.address":null}\ncID,attributes.nickname\n1,\n',
  );
  expect(() => show("json", "channels.email.adress")).toThrow("Did you mean channels.email.address?");
  expect(() => show("json", "cID.x")).toThrow("cID.x is not a member.");
});
