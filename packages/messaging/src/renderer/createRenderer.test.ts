import { afterAll, describe, expect, test } from "vitest";
import { composeMail } from "../compose/composeMail.ts";
import type { MailToCompose } from "../compose/mailToCompose.ts";
import { previewLinks, renderRequestOf } from "../frozen/renderRequestOf.ts";
import { createRenderer } from "./createRenderer.ts";

const renders = createRenderer();
afterAll(() => renders.close());

const fallback = { channel: "email", headers: {}, includes: {}, context: {}, timezone: "UTC", currency: "EUR" };
const prepare = (text: string, kind: "html" | "plain" | "mjml" = "html") =>
  renders.prepare(1, [{ path: "/message/content/text~1html", text, kind }]);
const render = (html: string, more: object = {}) => renders.render(1, { ...fallback, html, ...more });
const htmlOf = async (html: string, more: object = {}) => {
  const rendered = await render(html, more);
  return "content" in rendered ? rendered.content["text/html"] : rendered.message;
};

describe("a content that is saved", () => {
  test("reports every mistake with its line and column", async () => {
    const text =
      "<p>\n{{ a | nope }}\n{% if x %}\n  {% frob %}\n{% endfrob %}{% endif %}\n{{ b | date: }}{% include key %}</p>";
    const prepared = await prepare(text);
    expect(prepared).toMatchObject({
      mistakes: [
        { message: "undefined filter: nope", line: 2, column: 1 },
        { message: 'tag "frob" not found', line: 4, column: 3 },
        { message: "The key of an include must be a quoted text.", line: 6, column: 16 },
      ],
    });
  });

  test.each([
    ["<p>{% if a %}x</p>", "not closed", 1, 4],
    ["<p>\n  {{ a</p>", "not closed", 2, 3],
    ["{% layout 'x' %}", 'tag "layout" not found', 1, 1],
  ])("names the mistake of %j", async (text, message, line, column) => {
    const prepared = await prepare(text);
    const [first] = "mistakes" in prepared ? prepared.mistakes : [];
    expect(first).toMatchObject({ message: expect.stringContaining(message), line, column });
  });

  test("names the includes that it uses, also in blocks", async () => {
    const prepared = await prepare("{% if a %}{% include 'head' %}{% endif %}\n{% render 'foot', a: 1 %}");
    expect(prepared).toMatchObject({
      includes: [
        { key: "head", line: 1, column: 11 },
        { key: "foot", line: 2, column: 1 },
      ],
    });
  });

  test("has its style rules in its elements, and Liquid stays where it was", async () => {
    const html = `<style>p { color: {{ tone }} } td { margin: 0 } @media print { p { color: red } }</style>
<table>{% for row in rows %}<tr><td {% if row.x %}class="a"{% endif %}>{{ row.name | append: "<b>" }}</td></tr>{% endfor %}</table>
<p title='{{ a | append: "x" }}'>{% raw %}{{ kept }}{% endraw %}</p>`;
    const prepared = await prepare(html);
    const created = "html" in prepared ? (prepared.html ?? "") : "";
    expect(created).toContain("<table><tbody>{% for row in rows %}<tr>");
    expect(created).toContain('{{ row.name | append: "<b>" }}</td>');
    expect(created).toMatch(/<p [^>]*style="color: \{\{ tone \}\}/);
    expect(created).toContain('<td {% if row.x %}class="a" {% endif %} style="margin: 0;">');
    expect(created).toContain("{% raw %}{{ kept }}{% endraw %}");
    expect(created).toContain("@media print");
    expect(created).not.toContain("hwlq");
  });

  test("is compiled from MJML, whose mistakes and dropped Liquid have their places", async () => {
    const good = await prepare(
      "<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>",
      "mjml",
    );
    expect("html" in good && good.html).toMatch(/<!doctype html>[\s\S]*Hi \{\{ name \}\}/i);
    const bad = await prepare(
      "<mjml><mj-body>\n<mj-section>{% if a %}<mj-column></mj-column>{% endif %}</mj-section>\n<mj-include path='/etc/passwd' /></mj-body></mjml>",
      "mjml",
    );
    expect(bad).toMatchObject({ mistakes: [{ line: 2, column: 13 }, { line: 2 }, { line: 3, column: 1 }] });
    const unclosed = await prepare("<mjml><mj-body>\n <mj-section>\n</mj-body></mjml>", "mjml");
    expect(unclosed).toMatchObject({ mistakes: [{ message: "<mj-section> is not closed.", line: 2, column: 2 }] });
    const cut = await prepare("<mjml><mj-body><mj-section /><mj-sect", "mjml");
    expect(cut).toMatchObject({
      mistakes: [
        { line: 1, column: 1 },
        { line: 1, column: 7 },
      ],
    });
    const unknown = await prepare("<mjml><mj-body>\n  <mj-frob></mj-frob></mj-body></mjml>", "mjml");
    expect(unknown).toMatchObject({ mistakes: [{ line: 2, column: 3 }] });
  });
});

describe("a message that is rendered", () => {
  test("escapes values in HTML, not in text and headers, which stay on one line", async () => {
    const context = { name: "<b>&\r\nBcc: x@y.z" };
    const rendered = await render("<p>{{ name }}{{ name | raw }}</p>", {
      text: "{{ name }}",
      headers: { subject: "Hi {{ name }}" },
      context,
    });
    expect(rendered).toMatchObject({
      headers: { subject: "Hi <b>& Bcc: x@y.z" },
      content: {
        "text/html": "<p>&lt;b&gt;&amp;\r\nBcc: x@y.z<b>&\r\nBcc: x@y.z</p>",
        "text/plain": "<b>&\r\nBcc: x@y.z",
      },
    });
  });

  test("makes its text from its HTML, and warns of what is missing or leads nowhere", async () => {
    const rendered = await render(
      '<h1>Hi {{ contact.first }}{{ a | default: "b" }}{% if c %}{% endif %}</h1><a href="{{ url }}">x</a><a href="https://a.example">y</a>',
      { unsubscribe: "https://t.example/u" },
    );
    expect(rendered).toMatchObject({
      content: { "text/plain": expect.stringContaining("y [https://a.example]") },
      warnings: [
        { code: "missing_value", message: "The value `contact` is missing.", count: 1 },
        { code: "missing_value", message: "The value `url` is missing.", count: 1 },
        { code: "unknown_link" },
        { code: "no_unsubscribe_link" },
      ],
    });
    expect(await render(`<p>${"x".repeat(103 * 1024)}</p>`)).toMatchObject({ warnings: [{ code: "clipped" }] });
  });

  test("shows a missing unsubscribe link beside any number of missing values", async () => {
    const values = Array.from({ length: 150 }, (_, index) => `{{ missing${index} }}`).join("");
    const rendered = await render(`<p>${values}x</p>`, { unsubscribe: "https://t.example/u" });
    expect("warnings" in rendered && rendered.warnings.at(-1)).toMatchObject({ code: "no_unsubscribe_link" });
    expect("warnings" in rendered && rendered.warnings).toHaveLength(101);
  });

  test("has an unsubscribe link where its address can be seen, as a link or as a text", async () => {
    const unsubscribe = "https://t.example/u";
    for (const html of [`<a href="${unsubscribe}/1">x</a>`, `<p>Unsubscribe: ${unsubscribe}/1</p>`]) {
      expect(await render(html, { unsubscribe })).toMatchObject({ warnings: [] });
    }
    for (const html of [`<p>x</p><!-- ${unsubscribe} -->`, `<head><title>${unsubscribe}</title></head><p>x</p>`]) {
      expect(await render(html, { unsubscribe })).toMatchObject({ warnings: [{ code: "no_unsubscribe_link" }] });
    }
  });

  test("knows dates in a zone and language, money, and includes", async () => {
    const context = { at: "2026-01-09T23:30:00Z", sum: "1234.5" };
    expect(await htmlOf("{{ at | date: '%A %H:%M', 'Europe/Berlin', 'de' }}", { context })).toBe("Samstag 00:30");
    expect(await htmlOf("{{ sum | money }} {{ sum | money: 'JPY', 'ja-JP' }}", { context })).toMatch(
      /^€1,234.50 [¥￥]1,235$/,
    );
    expect(
      await htmlOf("{% assign own = 2 %}{% include 'a' %}{% render 'b', x: 1 %}", {
        includes: { a: "A{{ at }}{{ own }}", b: "B{{ x }}{{ at }}{{ own }}" },
        context,
      }),
    ).toBe(`A${context.at}2B1${context.at}`);
  });

  test.each([
    ["a", 1],
    ["a".repeat(160), 1],
    ["a".repeat(161), 2],
    ["€".repeat(80), 1],
    ["€".repeat(81), 2],
    ["ж".repeat(70), 1],
    ["ж".repeat(71), 2],
    ["😀".repeat(35), 1],
    ["😀".repeat(36), 2],
  ])("counts the short messages of %s", async (text, segments) => {
    expect(await renders.render(1, { ...fallback, channel: "sms", text })).toMatchObject({ segments });
  });

  test.each([
    ["a loop of 10^9", "{% for i in (1..1000000000) %}{% endfor %}"],
    [
      "loops in loops",
      "{% for i in (1..3000) %}{% for j in (1..3000) %}{% for k in (1..3000) %}{% endfor %}{% endfor %}{% endfor %}",
    ],
    ["a padded date", "{{ 'now' | date: '%9999999d' }}"],
    ["an include in itself", "{% include 'self' %}"],
    ["an unknown include", "{% include 'none' %}"],
    ["a member of a prototype", "{{ contact.constructor.name | nope }}"],
    ["nothing", "{% if a %}x{% endif %}"],
    [
      "a text that doubles",
      "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
    ],
    ["a megabyte and more", "{% for i in (1..70000) %}0123456789abcdef{% endfor %}"],
  ])("fails alone with %s", async (_, html) => {
    const [rendered, neighbour] = await Promise.all([
      render(html, { includes: { self: "{% include 'self' %}" } }),
      renders.render(2, { ...fallback, html: "fine" }),
    ]);
    expect(rendered).toEqual(
      expect.objectContaining({
        path: expect.stringMatching(/^\/(message|includes\/self\/)/),
        message: expect.any(String),
      }),
    );
    expect(neighbour).toMatchObject({ content: { "text/html": "fine" } });
  });

  test.each(["include", "render"])("names includes that {%% %s %%} leads back to themselves by", async (tag) => {
    const includes = { self: `x{% ${tag} 'other' %}`, other: `{% if 1 %}{% ${tag} 'self' %}{% endif %}` };
    const rendered = await render(`{% ${tag} 'self' %}`, { includes });
    expect(rendered).toMatchObject({ path: expect.stringMatching(/^\/includes\/(self|other)\/content$/), line: 1 });
    expect("message" in rendered && rendered.message).toContain("Includes may stand 8 levels deep in one another");
    const chain = Array.from({ length: 8 }, (_, position) => [
      `i${position}`,
      position === 7 ? "end" : `{% ${tag} 'i${position + 1}' %}`,
    ]);
    expect(await htmlOf(`{% ${tag} 'i0' %}{% ${tag} 'i0' %}`, { includes: Object.fromEntries(chain) })).toBe("endend");
  });

  test.each(["include", "render"])("says in which include of a %s tag a mistake is, and where", async (tag) => {
    const broken = "fine\n  {% if 1 %}\n {% for i in (1..1000000000) %}{% endfor %}{% endif %}";
    const includes = { "top/a": `\n\n\n{% ${tag} 'low' %}`, low: broken, fine: "f" };
    const at = { path: "/includes/low/content", line: 3, column: 2 };
    for (const name of ["top/a", "low"]) {
      const html = `<p>\n{% ${tag} 'fine' %}{% ${tag} '${name}' %}</p>`;
      const message = expect.stringContaining('In the include "low": ');
      expect(await render(html, { includes })).toMatchObject({ ...at, message });
      expect(await render("x", { includes, headers: { subject: html } })).toMatchObject({ ...at, message });
    }
    const parsed = await render(`{% ${tag} 'low' %}`, { includes: { low: "a {{ b | nope }}" } });
    expect(parsed).toMatchObject({ path: at.path, line: 1, column: 3 });
    const unknown = await render(`{% ${tag} 'top/a' %}`, { includes: { "top/a": `a\n{% ${tag} 'none' %}` } });
    expect(unknown).toMatchObject({ path: "/includes/top~1a/content", line: 2, column: 1 });
    const own = await render(`{% ${tag} 'fine' %}\n{% ${tag} 'none' %}`, { includes });
    expect(own).toMatchObject({ path: "/message/content/text~1html", line: 2, column: 1 });
  });

  test("never sees what lies behind its data", async () => {
    const context = JSON.parse('{"__proto__": {"polluted": "yes"}, "a": {"constructor": "own"}}');
    expect(await htmlOf("x{{ polluted }}{{ a.constructor }}{{ a.toString }}{{ b.__proto__ }}", { context })).toBe(
      "xown",
    );
    expect(await htmlOf("x{{ polluted }}")).toBe("x");
  });
});

test("a large mail is composed in a process, the same to the byte, and a small one in this", async () => {
  const mail: MailToCompose = {
    ...{ mcId: "a:m:b:c:1", classification: "transactional", to: "ada@example.org", nowMs: 0, isSigned: false },
    headers: { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop" },
    ...{ html: `<p>${"é".repeat(500_000)}</p>`, text: "\r\n".repeat(500_000) },
    attachments: [{ filename: "a.pdf", contentType: "application/pdf", content: "QUJD".repeat(1_048_576) }],
  };
  const composed = await renders.compose(1, mail);
  const { bytes } = "bytes" in composed ? composed : expect.fail(composed.message);
  expect(Buffer.compare(bytes, (await composeMail(mail)).bytes)).toBe(0);
  const withoutProcesses = createRenderer();
  await withoutProcesses.close();
  await expect(withoutProcesses.compose(1, mail)).rejects.toThrow("stopping");
  const small = { ...mail, html: "<p>Hi</p>", text: "Hi", attachments: [] };
  expect(await withoutProcesses.compose(1, small)).toMatchObject({ bytes: expect.any(Uint8Array) });
});

test("5 MiB of nested blocks are one mistake, and no process is stuck", async () => {
  const prepared = await prepare("{% if a %}".repeat(500_000));
  expect(prepared).toMatchObject({ mistakes: [{ message: expect.stringContaining("64 levels") }] });
  expect(await htmlOf("fine")).toBe("fine");
});

const toRender = {
  ...({ channel: "email", classification: "transactional", includes: {} } as const),
  content: { message: { content: {} }, includes: [] },
};
const seen = {
  ...{ contact: {}, data: {}, message: {}, links: previewLinks("https://t.example"), now: "2026-01-09T23:30:00Z" },
  account: { id: "a", name: "Shop", timezone: "UTC", currency: "EUR" },
};

test("data that are too large or too deep are refused before a process sees them; merge data count once", async () => {
  expect(await render("x", { context: { a: "x".repeat(300_000) } })).toMatchObject({ path: "/mergeData" });
  const { context } = renderRequestOf(toRender, { ...seen, mergeData: { long: "x".repeat(200 * 1024) } });
  expect(await htmlOf("{{ long | size }} {{ mergeData.long | size }}", { context })).toBe("204800 204800");
  const { context: larger } = renderRequestOf(toRender, { ...seen, mergeData: { long: "x".repeat(257 * 1024) } });
  expect(await render("x", { context: larger })).toMatchObject({ path: "/mergeData" });
  const deep = JSON.parse(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`);
  expect(await render("x", { context: deep })).toMatchObject({ path: "/mergeData" });
});

describe("a content that would exhaust its process ends alone", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => `<tr><td class="c${row % 50}">x</td></tr>`).join("");
  const css = Array.from(
    { length: 2_000 },
    (_, rule) => `.c${rule} ~ td + td:not(.d${rule}) { margin: ${rule}px }`,
  ).join("");
  test.each([
    ["20,000 nested elements", "<div>".repeat(20_000), "html"],
    ["60,000 siblings", `<style>i ~ b { color: red }</style>${"<i></i><b></b>".repeat(24_000)}`, "html"],
    [
      "128 KiB of declarations",
      `<style>${"p{".repeat(10)}${"a:b;".repeat(30_000)}}</style>${"<p>".repeat(20_000)}`,
      "html",
    ],
    ["many rules and elements", `<style>${css}</style><table>${rows(5_000)}</table>`, "html"],
    [
      "1 MB of MJML",
      `<mjml><mj-head><mj-attributes><mj-all alt="${"x".repeat(100_000)}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column>${'<mj-image src="a" />'.repeat(9_000)}</mj-column></mj-section></mj-body></mjml>`,
      "mjml",
    ],
  ] as const)("%s", async (_, text, kind) => {
    const hostile = prepare(text, kind);
    const neighbour = await renders.prepare(2, [{ path: "/x", text: "<p>{{ a }}</p>", kind: "html" }]);
    expect(neighbour).toMatchObject({ mistakes: [] });
    const prepared = await hostile;
    const ended =
      "mistakes" in prepared ? prepared.mistakes.length > 0 || prepared.html !== undefined : prepared.message !== "";
    expect(ended).toBe(true);
    expect(await htmlOf("fine")).toBe("fine");
  });

  test("a text that doubles 25 times and is encoded", async () => {
    const doubled = `{% capture a %}xxxxxxxxxxxxxxxx{% endcapture %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(25)}{{ a | url_encode }}`;
    expect(await render(doubled)).toMatchObject({ message: expect.any(String) });
    expect(await htmlOf("fine")).toBe("fine");
  });
});
