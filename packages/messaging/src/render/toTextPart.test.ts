import fc from "fast-check";
import { convert } from "html-to-text";
import { expect, test } from "vitest";
import { toTextPart } from "./toTextPart.ts";

/** Text as html-to-text writes it by itself. */
function defaultText(html: string): string {
  return convert(html, {
    wordwrap: false,
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: "h1", options: { uppercase: false } },
    ],
  }).trim();
}

const view = (html: string) => {
  const { text, links } = toTextPart(html);
  return links.map(({ start, end }) => text.slice(start, end));
};

test.each([
  [`<a href="https://x.example/p?x=[1]">Shop</a>`, ["https://x.example/p?x=[1]"]],
  [`<a href="https://x.example/p?x=[1">Shop</a>!`, ["https://x.example/p?x=[1"]],
  [`<p>a <a href="https://x.example/{a}">https://x.example/{a}</a>`, ["https://x.example/{a}"]],
  [`<a href="https://x.example/a&gt;b"></a>`, ["https://x.example/a>b"]],
  [`<a href="mailto:a@b.example">x</a><a href="#top">y</a><a>z</a>`, []],
  [`<a href="https://x.example/">\uFDD0x\uFDD1</a>`, []],
])("the addresses of %s are known, and the text is as ever", (html, links) => {
  expect(view(html)).toEqual(links);
  expect(toTextPart(html).text).toBe(defaultText(html));
});

test("cells stand apart, and rows on lines", () => {
  const rows = "<tr><th>Article</th><th>Price</th></tr><tr><td>Shirt</td><td align=right>19.00</td></tr>";
  expect(toTextPart(`<table>${rows}</table>`).text).toBe("Article Price\nShirt 19.00");
  expect(toTextPart(`<table><thead>${rows}</thead><tbody><tr><td>Hat<td>5.00</tbody></table><p>Thanks</p>`).text).toBe(
    "Article Price\nShirt 19.00\nHat 5.00\n\nThanks",
  );
  const nested = "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td><p>c</p></td></tr></table>";
  expect(toTextPart(nested).text.split(/\n+/)).toEqual(["a b", "c"]);
});

test("an image is the words that stand for it, and a link around it keeps its address", () => {
  expect(toTextPart(`<p><img src="https://x.example/i.png" alt="Summer sale"></p>`).text).toBe("Summer sale");
  expect(toTextPart(`<p>a<img src="i.png" alt=""><img src="i.png">b</p>`).text).toBe("ab");
  const link = `<a href="https://x.example/"><img src="i.png" alt="To the shop"></a>`;
  expect(toTextPart(link).text).toBe("To the shop [https://x.example/]");
  expect(view(link)).toEqual(["https://x.example/"]);
  expect(toTextPart(`<a href="https://x.example/"><img src="i.png"></a>`).text).toBe("https://x.example/");
});

test("the title of content without a body is not among its text", () => {
  expect(toTextPart("<title>News</title><p>Hi</p>").text).toBe("Hi");
});

test("a mail of images alone has a text", () => {
  const image = `<img src="https://x.example/i.png">`;
  expect(toTextPart(`<html><head><title>Summer  sale</title></head><body>${image}</body></html>`).text).toBe(
    "Summer sale",
  );
  expect(toTextPart(`<body>${image}${image}<img src="cid:1"></body>`).text).toBe("https://x.example/i.png");
});

test("an address is written without whitespace, as browsers read it", () => {
  expect(toTextPart(`<a href=" https://x.exa\nmple/a  b ">x</a>`).text).toBe("x [https://x.example/a%20%20b]");
});

test("a text is what html-to-text writes, to the byte", () => {
  const hrefs = ["https://x.example/1", "https://x.example/[2]", "mailto:a@b.example", "#top", "", "/x", "HTTP://y/(z"];
  const texts = [
    " ",
    "\n",
    "x",
    "https://x.example/1",
    "<p>",
    "</p>",
    "<br>",
    "<li>",
    "</a>",
    "<pre>",
    "&nbsp;",
    "]",
    "[",
  ];
  const piece = fc.constantFrom(...texts, "\uFDD0", ...hrefs.map((href) => `<a href="${href}">`));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const html = pieces.join("");
      expect(toTextPart(html).text).toBe(defaultText(html));
      for (const link of view(html)) expect(hrefs).toContain(link);
    }),
  );
});
