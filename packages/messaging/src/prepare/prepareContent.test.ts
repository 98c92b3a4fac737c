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

const htmlOf = async (body: string, head = "") => {
  const text = `<mjml>${head}<mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;
  const { html, mistakes } = await prepareContent([{ path: "/mjml", text, kind: "mjml" }]);
  expect(mistakes).toEqual([]);
  expect(html).not.toContain("NaN");
  expect(html).not.toContain("hwlq");
  return html ?? "";
};

test.each([
  ["an output in a text", "<mj-text>Hi {{ a | default: '<b>' }}!</mj-text>", ["Hi {{ a | default: '<b>' }}!"]],
  ["a comparison", "<mj-text>{% if a<b and c < d %}x{% endif %}</mj-text>", ["{% if a<b and c < d %}x{% endif %}"]],
  [
    "an inline style",
    '<mj-text><p style="color: {{ a | append: "x" }}">x</p></mj-text>',
    ['color: {{ a | append: "x" }}'],
  ],
  ["a color", '<mj-text color="{{ tone }}">x</mj-text>', ["color:{{ tone }}"]],
  [
    "a measure",
    '<mj-text font-size="{{ size }}px" padding="{{ a }}px 10px">x</mj-text>',
    [/font-size: ?{{ size }}px/, /padding: ?{{ a }}px 10px/],
  ],
  ["an address", `<mj-button href='{{ url | append: "?a" }}'>x</mj-button>`, ['href="{{ url | append: "?a" }}"']],
  ["an image", '<mj-image src="{{ image }}" alt="{{ words }}" />', ['src="{{ image }}"', 'alt="{{ words }}"']],
  [
    "a table",
    "<mj-table>{% for r in rows %}<tr><td>{{ r }}</td></tr>{% endfor %}</mj-table>",
    [/<(?:tbody|table[^>]*)>\s*{% for r in rows %}\s*<tr><td[^>]*>{{ r }}<\/td><\/tr>{% endfor %}/],
  ],
  [
    "mj-raw in a table",
    "<mj-table><mj-raw>{% for r in rows %}</mj-raw><tr><td>{{ r }}</td></tr><mj-raw>{% endfor %}</mj-raw></mj-table>",
    [/<(?:tbody|table[^>]*)>\s*{% for r in rows %}\s*<tr><td[^>]*>{{ r }}<\/td><\/tr>\s*{% endfor %}\s*<\/t/],
  ],
  [
    "mj-raw around an element",
    "<mj-raw>{% for r in rows %}</mj-raw><mj-text>{{ r }}</mj-text><mj-raw>{% endfor %}</mj-raw>",
    [/<tbody>\s*{% for r in rows %}\s*<tr>[\s\S]*{{ r }}[\s\S]*<\/tr>\s*{% endfor %}\s*<\/tbody>/],
  ],
  ["a heart", "<mj-text>a <3 you, 1 < 2</mj-text>", [/a (?:<|&lt;)3 you, 1 (?:<|&lt;) 2/]],
] as const)("MJML keeps %s whole", async (_, body, wanted) => {
  const styled =
    "<mj-head><mj-style>.x { color: red } @media (max-width: 3px) { .x { color: blue } }</mj-style></mj-head>";
  for (const html of [await htmlOf(body), await htmlOf(body, styled)])
    for (const piece of wanted)
      expect(html).toEqual(piece instanceof RegExp ? expect.stringMatching(piece) : expect.stringContaining(piece));
});

test("MJML keeps Liquid in styles, titles, previews and defaults whole", async () => {
  const head = `<mj-head><mj-title>{{ t }}</mj-title><mj-preview>{{ p }}</mj-preview><mj-attributes><mj-text color="{{ c }}" /><mj-class name="unused" width="{{ w }}px" /></mj-attributes>
<mj-style inline="inline">.x { color: {{ d }} }</mj-style><mj-style>.y { color: {{ e }} }</mj-style></mj-head>`;
  const html = await htmlOf('<mj-text><b class="x">x</b></mj-text>', head);
  for (const piece of ["<title>{{ t }}</title>", "{{ p }}", "color:{{ c }}", "{{ d }}", "color: {{ e }}"])
    expect(html).toContain(piece);
});

test.each([
  ["an image's width", '<mj-image\n  src="a.png" width="{{ w }}px" />', [[2, 22, "`width`"]]],
  ["an attribute that decides", '\n<mj-image src="a.png" fluid-on-mobile="{{ f }}" />', [[2, 1, "fluid-on-mobile"]]],
  [
    "attributes that come and go",
    "\n<mj-text {% if a %}color='red'{% endif %}>x</mj-text>",
    [[2, 1, "among the attributes"]],
  ],
  ["the second element of a line", '<mj-text>x</mj-text><mj-text colour="red">y</mj-text>', [[1, 59, "colour"]]],
  [
    "a line behind Liquid of several lines",
    '<mj-text>{{\n\na }}</mj-text>\n <mj-text colour="red">y</mj-text>',
    [[4, 2, "colour"]],
  ],
] as const)("a mistake of the compiler has its line and column: %s", async (_, body, wanted) => {
  const text = `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;
  const { mistakes } = await prepareContent([{ path: "/mjml", text, kind: "mjml" }]);
  expect(mistakes.map(({ line, column }) => [line, column])).toEqual(wanted.map(([line, column]) => [line, column]));
  for (const [at, [, , words]] of wanted.entries()) expect(mistakes[at]?.message).toContain(words);
});

test("MJML that cannot be read says where it begins", async () => {
  const { mistakes } = await prepareContent([{ path: "/mjml", text: "\n  <div>a</div>", kind: "mjml" }]);
  expect(mistakes).toMatchObject([{ line: 2, column: 3, message: expect.stringContaining("cannot be read") }]);
});
