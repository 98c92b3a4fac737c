import { expect, test } from "vitest";
import { prepareContent } from "./prepareContent.ts";

const mistakesOf = async (lines: readonly string[]) => {
  const { mistakes, html } = await prepareContent([{ path: "/mjml", text: lines.join("\n"), kind: "mjml" }]);
  expect(html).toBeUndefined();
  return mistakes.map(({ line, message }) => [line, message]);
};
const page = (...body: readonly string[]) => [
  ...["<mjml><mj-body><mj-section><mj-column>", ...body, "</mj-column></mj-section></mj-body></mjml>"],
];

test("mistakes of MJML and of its Liquid are listed together, in order of their places", async () => {
  const found = await mistakesOf(
    page('<mj-text colour="red">a</mj-text>', "<mj-text>{{ a | nosuch }}</mj-text>", "<mj-nothing />"),
  );
  expect(found).toEqual([
    [2, expect.stringContaining("colour")],
    [3, expect.stringContaining("nosuch")],
    [4, expect.stringContaining("mj-nothing")],
  ]);
});

test("tags of Liquid without an end are no mistakes of the MJML around them", async () => {
  expect(await mistakesOf(page("<mj-text>{% if a %}b</mj-text>", "<mj-text>{{ c</mj-text>"))).toHaveLength(2);
});

test("an element that is not closed has no consequences among the mistakes", async () => {
  const found = await mistakesOf(page("<mj-text>{{ a | nosuch }}", '<mj-text colour="red">a</mj-text>'));
  expect(found).toEqual([
    [2, "<mj-text> is not closed."],
    [2, expect.stringContaining("nosuch")],
  ]);
});

test.each([
  ["20,000 nested elements", "<div>".repeat(20_000), "html", "1000 levels"],
  ["20,000 nested elements of MJML", `<mjml><mj-body>${"<mj-section>".repeat(20_000)}`, "mjml", "1000 levels"],
  ["60,000 elements", "<i></i>".repeat(60_000), "html", "50000 elements"],
  ["30,000 rules", `<style>${"a{}".repeat(30_000)}</style>`, "html", "20000 style rules"],
  ["a selector of 10 KB", `<style>${"a>".repeat(5_000)}b{}</style>`, "html", "1000 characters"],
] as const)("%s are refused before they are worked on", async (_, text, kind, message) => {
  const { mistakes, html } = await prepareContent([{ path: "/html", text, kind }]);
  expect(mistakes).toMatchObject([{ path: "/html", line: 1, message: expect.stringContaining(message) }]);
  expect(html).toBeUndefined();
});

test("elements and levels at their bounds are prepared", async () => {
  const text = `<style>a{color:red}</style>${"<div>".repeat(990)}<a>x</a>${"</div>".repeat(990)}`;
  const { mistakes, html } = await prepareContent([{ path: "/html", text, kind: "html" }]);
  expect(mistakes).toEqual([]);
  expect(html).toContain('<a style="color: red;">');
});
