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
