import { runAtOnce } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTextPart } from "../render/toTextPart.ts";
import { tokenKinds } from "./trackingToken.ts";
import { createTrackingTokens } from "./trackingTokens.ts";
import { type MessageToTrack, messageLinks, trackMessage } from "./trackMessage.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 7)]);
const trackingUrl = "https://t.example.com";
const sending = {
  tokens,
  trackingUrl,
  nowMs: 1_767_225_600_000,
  send: {
    account: { id: "65f0c0ffee65f0c0ffee0001", number: 3 },
    message: "65f0c0ffee65f0c0ffee00aa",
    type: "b",
    contact: { cID: "65f0c0ffee65f0c0ffee00cc", number: 9 },
    n: 1,
    channel: "email",
    variant: "B",
  },
} as const;
const LINK = /https:\/\/t\.example\.com\/t\/([a-z])\/([A-Za-z0-9_-]+)/g;

function track(message: Partial<MessageToTrack>) {
  return runAtOnce(trackMessage({ ...sending, trackLinks: true, trackOpens: true, ...message }));
}

function html(text: string, rules: Partial<MessageToTrack> = {}): string {
  return track({ html: text, trackOpens: false, ...rules }).html ?? "";
}

/** The HTML with the targets of its tracked links in brackets, without what stands at the end of the body. */
function displayed(text: string | undefined): string {
  return (text ?? "")
    .replaceAll(/<a href="[^"]*" style="display:none"[^>]*><\/a>/g, "")
    .replaceAll(LINK, (_, path, token) => {
      const link = tokens.open(token, tokenKinds)?.link;
      return `[${path} ${link?.place ?? ""} ${link?.url ?? ""}${link?.name === undefined ? "" : ` ${link.name}`}]`;
    });
}

describe("links of HTML", () => {
  test.each([
    [`<a href="https://x.example/a?b=1&amp;c=2">x</a>`, `<a href="[c 1 https://x.example/a?b=1&c=2]">x</a>`],
    [`<A class=k HREF='https://x.example/'  >x</A>`, `<A class=k HREF='[c 1 https://x.example/]'  >x</A>`],
    [`<a href=https://x.example/a>x</a>`, `<a href=[c 1 https://x.example/a]>x</a>`],
    [`<area href = "&#104;ttps://x.example/é">`, `<area href = "[c 1 https://x.example/é]">`],
    [
      `<a href="https://x.example/1" href="https://x.example/2">`,
      `<a href="[c 1 https://x.example/1]" href="https://x.example/2">`,
    ],
    [`<a data-name="Shop" href="https://x.example/">`, `<a data-name="Shop" href="[c 1 https://x.example/ Shop]">`],
    [`<a href="https://x.example/" data-name="Shop">`, `<a href="[c 1 https://x.example/ Shop]" data-name="Shop">`],
    [`<a href=" https://x.exa\nmple/ ">`, `<a href="[c 1 https://x.example/]">`],
    [`<a href="https://x.example/"/>`, `<a href="[c 1 https://x.example/]"/>`],
    [
      `<!--[if mso]><a href="https://x.example/?a&amp;b" data-name=M>x</a><![endif]--><a href="https://y.example/">`,
      `<!--[if mso]><a href="[c 1 https://x.example/?a&b M]" data-name=M>x</a><![endif]--><a href="[c 2 https://y.example/]">`,
    ],
    [
      `<!-- [if gte mso 9]><v:roundrect xmlns:v="urn" href="https://x.example/" arcsize="5%"><![endif]-->`,
      `<!-- [if gte mso 9]><v:roundrect xmlns:v="urn" href="[c 1 https://x.example/]" arcsize="5%"><![endif]-->`,
    ],
    [
      `<!--[if !mso]><!--><a href="https://x.example/">x</a><!--<![endif]-->`,
      `<!--[if !mso]><!--><a href="[c 1 https://x.example/]">x</a><!--<![endif]-->`,
    ],
  ])("%s leads over the tracker", (input, wanted) => expect(displayed(html(input))).toBe(wanted));

  test.each([
    `<a href="https://x.example/" data-track="off">`,
    `<a data-track=OFF href="https://x.example/">`,
    ...["mailto:a@b.example", "tel:+4930", "#top", "", "sms:1", "/relative", "javascript:alert(1)", "//x.example/"].map(
      (href) => `<a href="${href}">`,
    ),
    `<a href="https://">`,
    `<a href="http:///x">`,
    `<a href>`,
    `<!-- <a href="https://x.example/"> -->`,
    `<!--[if mso]><a data-track="off" href="https://x.example/"><![endif]-->`,
    `<!--[if mso]><!-- <a href="https://x.example/">`,
    `<script>"<a href='https://x.example/'>"</script>`,
    `<style>a[href="https://x.example/"]{}</style>`,
    `<img src="https://x.example/i.png">`,
    `<a title='<a href="https://x.example/">'>`,
    `<link href="https://x.example/a.css">`,
    `<a href="https://x.example/`,
  ])("%s stays as it is", (provided) => expect(displayed(html(provided))).toBe(provided));

  test("of more than 4 KiB stay as they are", () => {
    const received = `<a href="https://x.example/${"a".repeat(4_096)}">`;
    expect(displayed(html(received))).toBe(received);
  });

  test("past the characters that tracking may add to a message lead to their targets by themselves", () => {
    const linkParameters = { a: "x".repeat(4_000) };
    const count = 1_000;
    const { html: tracked = "", text = "" } = track({
      html: '<a href="https://x.example/">x</a>'.repeat(count),
      text: "https://x.example/ ".repeat(count),
      linkParameters,
    });
    const ways =
      displayed(tracked)
        .match(/href="\[c |href="https:\/\/x\.example\/"/g)
        ?.map((way) => way.length) ?? [];
    expect(ways.length).toBe(count);
    expect(ways).toEqual(ways.toSorted((one, other) => one - other));
    expect([...new Set(ways)].length).toBe(2);
    expect(tracked.length + text.length).toBeLessThan(55 * count + 1024 * 1024);
  });

  test("are found in large HTML wherever it is cut for reading", () => {
    const link = `<a class=k href = "https://x.example/?a&amp;b" data-name='Shop'>`;
    for (let before = 64 * 1024 - link.length - 1; before <= 64 * 1024; before++) {
      const given = "x".repeat(before) + link;
      const wanted = link.replace("https://x.example/?a&amp;b", "[c 1 https://x.example/?a&b Shop]");
      expect(displayed(html(given)).slice(before)).toBe(wanted);
    }
  });

  test("of the tracker itself stay as they are", () => {
    const links = messageLinks(sending);
    const given = `<a href="${links.unsubscribe}"><a href="${links.preferences}"><a href="${links.view}">`;
    expect(html(given)).toContain(given);
    const kinds = Object.values(links).map((link) => tokens.open(link.split("/").at(-1) ?? "", tokenKinds)?.kind);
    expect(kinds).toEqual(["unsubscribe", "preferences", "view"]);
  });

  test("a link that stays as it is does so in the text, too, unless another place has it tracked", () => {
    const left = `<a href="https://x.example/" data-track="off">`;
    const text = "https://x.example/ and https://y.example/";
    expect(displayed(track({ html: left, text }).text)).toBe("https://x.example/ and [c 1 https://y.example/]");
    const both = `${left}<a href="https://x.example/">`;
    expect(displayed(track({ html: both, text }).text)).toBe("[c 1 https://x.example/] and [c 2 https://y.example/]");
  });

  test("all stay as they are with `trackLinks` off", () => {
    const given = `<a href="https://x.example/">x</a>`;
    expect(html(given, { trackLinks: false })).toBe(given);
    expect(track({ html: given, trackLinks: false }).links).toEqual([]);
  });

  test("get the account's parameters, in front of the fragment and never twice", () => {
    const linkParameters = { utm_source: "mail & more", utm_id: "", a: "new" };
    const given = `<a href="https://x.example/?a=1#f"><a href="https://x.example"><a href="https://x.example/?">`;
    expect(displayed(html(given, { linkParameters }))).toBe(
      `<a href="[c 1 https://x.example/?a=1&utm_source=mail+%26+more#f]">` +
        `<a href="[c 2 https://x.example?utm_source=mail+%26+more&a=new]">` +
        `<a href="[c 3 https://x.example/?utm_source=mail+%26+more&a=new]">`,
    );
  });

  test("carry the send and nothing else, and every byte between them is that of the content", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("<p>", "</p>", "<!--", "-->", "&amp;", "<a ", "</body>", "<script>", "</script>", "'", '"', ">"),
      fc.constantFrom(
        '<a href="https://x.example/1">',
        "<a href='https://x.example/2?a=1&amp;b=2'>",
        "<a href=http://y>",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const given = pieces.join("");
        const tracked = html(given);
        const originals =
          /<a href=(["']?)(?:https:\/\/x\.example\/1|https:\/\/x\.example\/2\?a=1&amp;b=2|http:\/\/y)\1>/g;
        const bare = (text: string) => text.replaceAll(originals, "<a href=$1[]$1>");
        const back = displayed(tracked).replaceAll(/\[c [^\]]*\]/g, "[]");
        expect(bare(back)).toBe(bare(given));
      }),
    );
  });
});

describe("the pixel", () => {
  test("stands before the end of the body, else at the end", () => {
    const { html: tracked = "" } = track({ html: "<body><p>x</p></BODY ></html>", trackLinks: false });
    expect(tracked).toMatch(
      /^<body><p>x<\/p><img src="https:\/\/t\.example\.com\/t\/o\/[^"]+"[^>]*><\/BODY ><\/html>$/,
    );
    expect(track({ html: "<p>x</p>", trackLinks: false }).html).toMatch(/^<p>x<\/p><img [^>]*>$/);
    expect(track({ html: "<!-- </body> --><p>", trackLinks: false }).html).toMatch(/^<!-- <\/body> --><p><img [^>]*>$/);
  });

  test("is added only when opens are tracked, the hidden link only when links are", () => {
    expect(html("<p>", { trackLinks: false })).toBe("<p>");
    expect(html("<p>")).toMatch(
      /^<p><a href="https:\/\/t\.example\.com\/t\/c\/[^"]+" style="display:none"[^>]*><\/a>$/,
    );
  });
});

test("links of the text part lead over the tracker under the places of the same links in the HTML", () => {
  const given =
    "Look (https://x.example/a), [https://x.example/b_(c)]. Write to mailto:a@b.example; http://y.example/?!";
  const { text, links } = track({ html: `<a href="https://x.example/b_(c)" data-name="b">`, text: given });
  expect(displayed(text)).toBe(
    "Look ([c 2 https://x.example/a]), [[c 1 https://x.example/b_(c) b]]. Write to mailto:a@b.example; [c 3 http://y.example/]?!",
  );
  expect(links.map(({ place: position, url }) => [position, url])).toEqual([
    [1, "https://x.example/b_(c)"],
    [2, "https://x.example/a"],
    [3, "http://y.example/"],
  ]);
});

test("links of the text part keep the brackets that open and close in them", () => {
  const given =
    "[https://x.example/p?x=[1]], {https://x.example/{a}}; https://x.example/[ https://x.example/a](http://y.example/b)";
  expect(displayed(track({ text: given }).text)).toBe(
    "[[c 1 https://x.example/p?x=[1]]], {[c 2 https://x.example/{a}]}; [c 3 https://x.example/][ [c 4 https://x.example/a]]([c 5 http://y.example/b])",
  );
});

test("links of a text that was made from the HTML are those of its anchors", () => {
  const given = `<a href="https://x.example/p?x=[1">a</a> <a href="https://x.example/a b">b</a> <a href="https://x.example/c)." data-track="off">c</a>`;
  const { text, links } = toTextPart(given);
  expect(displayed(track({ html: given, text, textLinks: links }).text)).toBe(
    "a [[c 1 https://x.example/p?x=[1]] b [[c 3 https://x.example/a%20b]] c [https://x.example/c).]",
  );
});

test("addresses of a send: unsubscribe by https and by mail, and the return path", () => {
  const { listUnsubscribe, returnPath = "" } = track({ returnPath: "b-{token}@mail.example.com" });
  const mails = [listUnsubscribe.mailto ?? "", returnPath].map((address) => {
    const [, token = ""] = /^b-([A-Za-z0-9_-]+)@mail\.example\.com$/.exec(address) ?? [];
    return tokens.open(token, tokenKinds);
  });
  const key = { account: 3, contact: 9, message: sending.send.message, type: "b", n: 1 };
  expect(mails).toEqual([
    { kind: "unsubscribe", ...key },
    { kind: "return", ...key },
  ]);
  expect(listUnsubscribe.url).toMatch(/^https:\/\/t\.example\.com\/t\/u\/[A-Za-z0-9_-]+$/);
  expect(track({}).listUnsubscribe).toEqual({ url: listUnsubscribe.url });
});

describe("hostile content", () => {
  const MIB = 1024 * 1024;
  const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
  test.each([
    ["nested tags", repeat("<div>", 5 * MIB)],
    ["open links", repeat('<a href="', 5 * MIB)],
    ["a tag of attributes", `<a ${repeat(' href="https://x.example"', 5 * MIB)}>`],
    ["spaces before values", repeat(`<a href${" ".repeat(1_000)}=`, 5 * MIB)],
    ["comments without end", repeat("<!--", 5 * MIB)],
    ["entities", `<a href="${repeat("&amp;&#x41;&", 5 * MIB)}">`],
    ["scripts without end", repeat("<script></scrip", 5 * MIB)],
    ["ends of bodies", repeat("</body>", 5 * MIB)],
  ])("of 5 MiB: %s", (_, given) => expect(html(given).length).toBeGreaterThan(5 * MIB - 1));

  test("of 100,000 links: the first 2,000 are tracked, the others lead to their targets", () => {
    const given = Array.from({ length: 100_000 }, (_, index) => `<a href="https://x.example/${index}">`).join("");
    const {
      links,
      html: tracked = "",
      text = "",
    } = track({
      html: given,
      text: repeat("http://x.example/ http://y.example/(((( ", 2 * MIB),
    });
    expect(links.length).toBe(2_000);
    expect(tracked).toContain(`<a href="https://x.example/2000"><a href="https://x.example/2001">`);
    expect(text).toContain("http://y.example/(((( ");
  });
});
