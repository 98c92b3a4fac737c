import { expect, test } from "vitest";
import { inlineCss } from "./inlineCss.ts";

const page = (css: string, body = '<p class="x"><a href="y">z</a></p>', attributes = "") =>
  `<html><head><style${attributes}>${css}</style></head><body>${body}</body></html>`;

test("rules that elements take are written into them, and nothing is left of their style", () => {
  expect(inlineCss(page("a{color:red}"))).toBe(
    '<html><head></head><body><p class="x"><a href="y" style="color: red;">z</a></p></body></html>',
  );
});

test("rules of pseudo-classes and pseudo-elements stay in the style", () => {
  const html = inlineCss(
    page('a{color:red} a:hover{color:green} .x::before{content:"a > b"}', undefined, ' media="screen"'),
  );
  expect(html).toContain('<style media="screen">a:hover { color: green; }\n.x::before { content: "a > b"; }</style>');
  expect(html).toContain('<a href="y" style="color: red;">');
});

test("rules of what is in the content only when it is rendered stay, before the at-rules that override them", () => {
  const html = inlineCss(page(".later{width:9px} @media (max-width:3px){.later{width:1px}}", "{% include 'later' %}"));
  expect(html).toContain(
    "<style>.later { width: 9px; }</style><style>@media (max-width:3px){.later{width:1px}} </style></head>",
  );
  const imported = inlineCss(page("@import url(x.css); a:hover{color:red}"));
  expect(imported).toContain("<style>@import url(x.css); </style><style>a:hover { color: red; }</style>");
});

test("a style whose rules stand between tags of Liquid stays as it was written", () => {
  const css = "a{color:red} {% if contact.vip %} a:hover{color:{{ contact.color }}} {% endif %}";
  const html = inlineCss(page(css));
  expect(html).toContain(`<style>${css}</style>`);
  expect(html).toContain('<a href="y" style="color: red;">');
  expect(inlineCss(page("a:hover{color:{{ contact.color }}}"))).toContain("a:hover { color: {{ contact.color }}; }");
});

test("styles in comments stay as they are", () => {
  const comment = "<!--[if mso]><style>p{margin:0}</style><![endif]-->";
  expect(inlineCss(page("a:hover{color:red}", `${comment}<a>z</a>`))).toContain(`<body>${comment}<a>z</a>`);
});

test("what a media rule overrides is not made stronger than it by being written into the element", () => {
  const media = "@media (max-width:3px){a{color:blue !important;padding:0 !important}}";
  const styled = (css: string, body?: string) => /<a [^>]*>/.exec(inlineCss(page(css + media, body)))?.[0];
  expect(styled("a{color:red !important;margin:1px !important}")).toBe(
    '<a href="y" style="color: red;margin: 1px !important;">',
  );
  expect(styled("a{padding-left:1px !important}")).toBe('<a href="y" style="padding-left: 1px;">');
  expect(inlineCss(page("a{color:red !important}"))).toContain('style="color: red !important;"');
});

test("what an element says is important by itself stays so", () => {
  const media = "@media (max-width:3px){a{color:blue}}";
  const html = inlineCss(page(`a{margin:0}${media}`, '<a style="color:red !important">z</a>'));
  expect(html).toContain('<a style="margin: 0;color: red !important">');
  expect(html).not.toContain("data-hw");
});
