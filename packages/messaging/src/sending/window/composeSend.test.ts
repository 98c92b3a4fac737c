import { type Account, accountSettings } from "@headwater/contracts";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { FrozenMessage } from "../../frozen/frozenMessage.ts";
import { createRenderer } from "../../renderer/createRenderer.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { createTrackingTokens } from "../../tracking/trackingTokens.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import { type Composed, composeSend } from "./composeSend.ts";
import { testSend } from "./testSend.ts";

const renders = createRenderer();
afterAll(() => renders.close());

const account: Account = {
  ...{ number: 1, id: "a".repeat(24), name: "Shop" },
  settings: accountSettings.parse({ timezone: "Europe/Berlin" }),
};
const transport: OpenTransport = {
  ...{ id: "t", type: "smtp", updatedAt: 0, dkim: [], rates: {}, returnPath: "b+{token}@bounces.example.com" },
  handover: { deliver: () => Promise.reject(new Error("nothing is handed over")), close: async () => undefined },
};
const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const send = (contact: number): StoredSend => ({ ...testSend, contact, cid: String(contact).padStart(24, "0") });

interface Written {
  readonly html?: string;
  readonly subject?: string;
  readonly fromDesc?: string;
  readonly includes?: Record<string, string>;
  readonly mergeData?: Record<string, unknown>;
  readonly contact?: number;
  readonly address?: string;
  readonly linkParameters?: Record<string, string>;
  readonly kind?: StoredSend["kind"];
  readonly fromEmail?: string;
  readonly fromDomains?: readonly string[];
  readonly transportType?: OpenTransport["type"];
  readonly classification?: FrozenMessage["classification"];
}

function withParameters(linkParameters: Record<string, string>): Account {
  const { settings } = account;
  return { ...account, settings: { ...settings, messaging: { ...settings.messaging, linkParameters } } };
}

function compose(written: Written): Promise<Composed> {
  const { html = "<p>Hi {{ contact.cID }}</p><a href='https://shop.example.com/'>x</a>", subject = "Hi" } = written;
  const { fromDesc = "Shop", includes = {}, mergeData = {}, contact = 1, address = "ada@example.com" } = written;
  const { linkParameters = {}, kind = "b", fromEmail = "news@example.com", fromDomains } = written;
  const { transportType = "smtp", classification = "promotional" } = written;
  const message: FrozenMessage = {
    ...{ channel: "email", classification, includes, transportId: null, trackLinks: true },
    ...{
      trackOpens: true,
      priority: 2,
      bcc: null,
      tags: [],
      audienceKeys: [],
      name: "m",
      key: null,
      strict: false,
      holdoutPercent: 0,
    },
    onUnknown: "skip",
    content: {
      message: { headers: { subject, fromEmail, fromDesc }, content: { "text/html": html } },
      ...{ html, includes: Object.keys(includes) },
    },
  };
  const wanted = { message, mergeData, attachments: [], variant: null, isHeldOut: false };
  const composing = {
    account: withParameters(linkParameters),
    send: { ...send(contact), kind },
    wanted,
    contact: { cID: send(contact).cid },
    data: {},
    address,
    transport: { ...transport, type: transportType, ...(fromDomains && { fromDomains }) },
  };
  return composeSend({ ...composing, trackingUrl: "https://t.example.com", tokens, nowMs: 1_800_000_000_000 }, renders);
}

const rawOf = (composed: Composed) => (composed.kind === "composed" ? composed.mail.raw?.toString() : composed.reason);
/** Head of a mail as its lines are unfolded. */
const headOf = (composed: Composed) => (rawOf(composed) ?? "").split("\r\n\r\n")[0]?.replace(/\r\n[ \t]/g, " ") ?? "";

test("a batch that is rendered in any cut is the same, to the byte", async () => {
  const contacts = Array.from({ length: 12 }, (_, contact) => contact + 1);
  const whole = await Promise.all(contacts.map((contact) => compose({ contact }).then(rawOf)));
  expect(new Set(whole).size).toBe(contacts.length);
  const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, async (sizes) => {
      const cut: (string | undefined)[] = [];
      for (const size of sizes) {
        const part = contacts.slice(cut.length, cut.length + size);
        cut.push(...(await Promise.all(part.map((contact) => compose({ contact }).then(rawOf)))));
      }
      expect(cut).toEqual(whole);
    }),
    { numRuns: 10 },
  );
});

test("a promotional test to an address that nobody has carries what the message itself does", async () => {
  const composed = await compose({ contact: 0, kind: "t" });
  const head = headOf(composed);
  expect(head).toMatch(/^list-unsubscribe-post: List-Unsubscribe=One-Click$/im);
  const [, address = ""] = /^list-unsubscribe: .*<https:\/\/t\.example\.com\/t\/u\/([\w-]+)>/im.exec(head) ?? [];
  expect(tokens.open(address, ["unsubscribe"])).toMatchObject({ type: "t", contact: 0 });
  const { returnPath } = composed.kind === "composed" ? composed.mail : expect.fail();
  expect(returnPath).toMatch(/^b\+[\w-]+@bounces\.example\.com$/);
});

const HOSTILE: readonly (readonly [name: string, written: Written])[] = [
  ["a loop of a billion", { html: "{% for i in (1..1000000000) %}{% endfor %}" }],
  ["an include of itself", { html: "{% include 'a' %}", includes: { a: "{% include 'a' %}" } }],
  ["a date of ten million characters", { html: "{{ now | date: '%9999999d' }}" }],
  [
    "a text that doubles",
    { html: `{% assign a = 'xxxxxxxxxxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}` },
  ],
];

test.each(HOSTILE)("%s is skipped, and its neighbours go out", async (_name, written) => {
  const [first, hostile, last] = await Promise.all([
    compose({ contact: 1 }),
    compose(written),
    compose({ contact: 2 }),
  ]);
  expect(hostile).toEqual({
    kind: "skip",
    reason: "render-failed",
    text: expect.stringMatching(/^\/(message|includes)/),
  });
  expect([first?.kind, last?.kind]).toEqual(["composed", "composed"]);
});

test("merge data reach nothing but the template", async () => {
  const mergeData = JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}');
  const html = "<p>[{{ polluted }}{{ contact.polluted }}{{ contact.constructor.name }}]</p>";
  const composed = await compose({ html, mergeData });
  expect(rawOf(composed)).toContain("[]");
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect((await compose({})).kind).toBe("composed");
});

test("a line end in a subject or a name makes no header of its own", async () => {
  const mergeData = { evil: "Hi\r\nBcc: all@example.com\r\n\r\n<p>body</p>" };
  const composed = await compose({ subject: "{{ evil }}", fromDesc: "{{ evil }}", mergeData });
  expect(composed.kind).toBe("composed");
  expect(headOf(composed)).not.toMatch(/^bcc:/im);
});

test("a header of 100 KB is folded into lines that servers take, or the contact is skipped", async () => {
  const composed = await compose({ subject: "{{ long }}", mergeData: { long: "word ".repeat(20_000) } });
  if (composed.kind === "skip") expect(composed.reason).toBe("render-failed");
  const lines = (rawOf(composed) ?? "").split("\r\n");
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
});

test.each(["", "{% if false %}x{% endif %}"])("a template that renders to nothing (%j) is skipped", async (html) => {
  const text = "/message/content/text~1html: The content renders to nothing.";
  expect(await compose({ html })).toEqual({ kind: "skip", reason: "render-failed", text });
});

test("a contact whose data Liquid cannot take is skipped with the place, and the text repeats none of them", async () => {
  const html = "<p>\n{{ 1 | money: secret }}</p>";
  const composed = await compose({ html, mergeData: { secret: "my-secret" } });
  expect(composed).toMatchObject({ kind: "skip", reason: "render-failed" });
  const text = "/message/content/text~1html, line 2, column 1: The Liquid cannot be rendered for this contact.";
  expect(composed.kind === "skip" && composed.text).toBe(text);
});

test.each([
  '"ada lovelace"@example.com',
  "ada\r\nBcc: all@example.com@example.com",
  "ada@bücher.example",
  "ada@example.com, all@example.com",
  "<script>@example.com",
])("the address %j is the only recipient, and no header of its own", async (address) => {
  const composed = await compose({ address });
  const head = headOf(composed);
  expect(head).not.toMatch(/^bcc:/im);
  if (composed.kind === "composed") expect(composed.mail.copies).toEqual([]);
});

/** Targets to which the links of a mail are redirected. */
function targetsOf(composed: Composed): (string | undefined)[] {
  const bare = (rawOf(composed) ?? "").replaceAll("=\r\n", "");
  const found = [...bare.matchAll(/\/t\/c\/([A-Za-z0-9_-]+)/g)].map(([, token = ""]) => tokens.open(token, ["click"]));
  return [...new Set(found.flatMap((token) => (token === undefined ? [] : [token.link?.url])))];
}

test("the account's link parameters are rendered for the contact and join the query of tracked links", async () => {
  const html = [
    "<a href='https://shop.example/a?utm_source=own&amp;x=1#f'>1</a>",
    "<a href='https://shop.example/c'>3</a>",
  ].join("");
  const linkParameters = { utm_source: "mail", who: "{{ contact.cID | slice: 23 }} & co", none: "{{ nothing }}" };
  const composed = await compose({ html, linkParameters, contact: 7 });
  expect(targetsOf(composed)).toEqual([
    "https://shop.example/a?utm_source=own&x=1&who=7+%26+co#f",
    "https://shop.example/c?utm_source=mail&who=7+%26+co",
  ]);
});

test("a content cannot show the account's link parameters", async () => {
  const composed = await compose({ html: "<p>[{{ linkParameters.a }}]</p>", linkParameters: { a: "secret" } });
  expect(rawOf(composed)).toContain("[]");
});

test("a sender that follows from the contact is one of the transport's, or the contact is skipped and the row says why", async () => {
  const written = { fromEmail: "news@{{ mergeData.shop }}", fromDomains: ["example.com", "xn--mnchen-3ya.example"] };
  const from = (shop: string) => compose({ ...written, mergeData: { shop } });
  expect((await from("example.com")).kind).toBe("composed");
  expect((await from("München.example")).kind).toBe("composed");
  const text = "The transport does not send from the domain of `fromEmail`.";
  expect(await from("other.example")).toEqual({ kind: "skip", reason: "render-failed", text });
});

test("email over an http transport has tracked links and the headers of promotional mail", async () => {
  const composed = await compose({ transportType: "http" });
  const { relayed, content, raw } = composed.kind === "composed" ? composed.mail : expect.fail();
  expect(raw).toBeUndefined();
  for (const part of ["text/html", "text/plain"]) {
    const [, token = ""] = /https:\/\/t\.example\.com\/t\/c\/([\w-]+)/.exec(content[part] ?? "") ?? [];
    expect(tokens.open(token, ["click"])).toMatchObject({ link: { url: "https://shop.example.com/" } });
  }
  expect(content["text/html"]).toContain("/t/o/");
  expect(relayed).toMatchObject({
    fromName: "Shop",
    headers: {
      "List-Unsubscribe": expect.stringMatching(/^<https:\/\/t\.example\.com\/t\/u\/[\w-]+>, <mailto:[^>]+>$/),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `<${account.id}.example.com>`,
      "Feedback-ID": `m:${account.id}:b:headwater`,
    },
  });
  const receipt = await compose({ transportType: "http", classification: "transactional" });
  const { relayed: own } = receipt.kind === "composed" ? receipt.mail : expect.fail();
  expect(own?.headers).toEqual({ "Auto-Submitted": "auto-generated" });
});
