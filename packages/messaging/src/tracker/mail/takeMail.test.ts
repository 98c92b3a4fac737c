import { readdirSync, readFileSync } from "node:fs";
import type { FrameAppend } from "@headwater/topics";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { ReportedSend } from "../../sends/reportedSend.ts";
import type { TokenKind } from "../../tracking/trackingToken.ts";
import { createTrackingTokens } from "../../tracking/trackingTokens.ts";
import { createIncomingReader } from "../incoming/createIncomingReader.ts";
import { MailHead } from "./mailHead.ts";
import { mailLimits } from "./mailLimits.ts";
import type { RefusedMessage } from "./noteRefusal.ts";
import { type ArrivedMail, takeMail } from "./takeMail.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const key = { type: "b", account: 3, contact: 9, n: 1, message: "65f0c0ffee65f0c0ffee00aa" } as const;
const sealed = (kind: TokenKind, more: object = {}) => tokens.seal({ kind, ...key, ...more });
const RETURN = `bounce+${sealed("return")}@mail.shop.example.org`;
const UNSUBSCRIBE = `bounce+${sealed("unsubscribe")}@mail.shop.example.org`;
const MCID = "65f0c0ffee65f0c0ffee0001:65f0c0ffee65f0c0ffee00aa:b:65f0c0ffee65f0c0ffee00cc:1";
const FOLDER = new URL("./fixtures/", import.meta.url);
const known: ReportedSend = {
  accountId: "65f0c0ffee65f0c0ffee0001",
  cID: "65f0c0ffee65f0c0ffee00cc",
  channel: "email",
  variant: null,
  address: "Ada@example.org",
  bcc: "copy@example.org",
};

let appended: FrameAppend[];
let refused: RefusedMessage[];
let send: ReportedSend | undefined;
beforeEach(() => {
  appended = [];
  refused = [];
  send = known;
});

const fixture = (name: string) =>
  Buffer.from(
    readFileSync(new URL(`${name}.eml`, FOLDER), "utf8")
      .replaceAll("{return}", RETURN)
      .replaceAll("\n", "\r\n"),
  );
const reader = createIncomingReader();
afterAll(() => reader.close());

const ports = () => ({
  tokens,
  reader,
  findSend: async () => send,
  noteRefusal: async ({ account, message }: RefusedMessage) => void refused.push({ account, message }),
  nowMs: () => Date.UTC(2026, 10, 24),
  producer: {
    append: async (append: FrameAppend) => {
      appended.push(append);
      return [];
    },
  },
});
const take = (raw: Buffer, mail: Partial<ArrivedMail> = {}) => {
  const head = new MailHead();
  head.add(raw);
  return takeMail(ports(), { head: head.bytes(), recipients: [RETURN], hasSender: false, ...mail });
};
const records = () => appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text)));
const events = () => records().flatMap(({ event }) => event ?? []);

/** Bounces that the reports make; the words in them are the systems' own. */
const reports = {
  postfix: { bounceType: "hard", code: 550 },
  postfixSeveral: { bounceType: "soft", kind: "full", code: 552 },
  postfixExpired: { bounceType: "soft", kind: "other" },
  exim: { bounceType: "hard", code: 550 },
  eximPlain: { bounceType: "soft", kind: "policy", code: 550 },
  exchange: { bounceType: "hard", code: 550 },
  exchangeBlocked: { bounceType: "soft", kind: "policy", code: 550 },
  exchangePlain: { bounceType: "hard" },
  gmail: { bounceType: "hard", code: 550 },
  gmailFull: { bounceType: "soft", kind: "full", code: 452 },
  sendmail: { bounceType: "hard", code: 550 },
  qmail: { bounceType: "hard", code: 550 },
  yahoo: { bounceType: "hard", code: 554 },
  amazonSes: { bounceType: "hard", code: 550 },
  icloud: { bounceType: "soft", kind: "full", code: 552 },
  groupwise: { bounceType: "soft", kind: "size" },
  domino: { bounceType: "hard" },
  exchange2003: { bounceType: "hard" },
  imail: { bounceType: "hard" },
  openSmtpd: { bounceType: "hard", code: 550 },
  dragonFly: { bounceType: "soft", kind: "other" },
  haraka: { bounceType: "hard", code: 550 },
  smarterMail: { bounceType: "soft", kind: "full" },
  zoho: { bounceType: "hard", code: 550 },
  mailFoundry: { bounceType: "soft", kind: "full", code: 552 },
  activeHunter: { bounceType: "hard", code: 550 },
  mailRu: { bounceType: "soft", kind: "other" },
  courier: { bounceType: "hard", code: 550 },
  messagingServer: { bounceType: "hard", code: 550 },
  barracuda: { bounceType: "soft", kind: "policy", code: 550 },
  messageLabs: { bounceType: "soft", kind: "policy", code: 550 },
  tencent: { bounceType: "soft", kind: "policy", code: 550 },
  powerMta: { bounceType: "hard", code: 550 },
  outlook: { bounceType: "soft", kind: "full", code: 550 },
  sendGrid: { bounceType: "hard", code: 550 },
  yandex: { bounceType: "hard", code: 550 },
  surfControl: { bounceType: "hard", code: 550 },
  receivingSes: { bounceType: "hard", code: 550 },
} as const;
const others = {
  ...{ postfixDelayed: "delayed", postfixCopy: "copy", postfixSuccess: "delivered", vacation: "auto-reply" },
  ...{ outOfOffice: "auto-reply", letter: "letter", arfNotSpam: "not-spam", authFailure: "letter" },
} as const;
const complaints = { arfYahoo: "complaint", arfNoOriginal: "complaint", arfUnknown: "complaint", arfOptOut: "optout" };

describe("a report at the return path", () => {
  test.each(Object.entries(reports))("of %s is a bounce: %j", async (name, expected) => {
    expect(await take(fixture(name))).toEqual(["bounce"]);
    const [event, ...more] = events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      ...{ name: "bounce", UID: `bounce:${MCID}`, time: "2026-11-24T00:00:00.000Z" },
      properties: { mcID: MCID, channel: "email", ...expected },
    });
    const { bounceType, kind, code } = event.properties;
    expect({ bounceType, kind, code }).toEqual({ kind: undefined, code: undefined, ...expected });
    expect((event.properties.text ?? "").length).toBeLessThanOrEqual(200);
    expect(refused).toEqual(kind === "policy" ? [{ account: 3, message: key.message }] : []);
  });

  test.each(Object.entries(others))("called %s changes nothing: %s", async (name, outcome) => {
    expect(await take(fixture(name), { hasSender: outcome === "letter" })).toEqual([outcome]);
    expect(appended).toEqual([]);
  });

  test("has the words of at least 20 systems whose source is named", () => {
    const sourced = Object.keys(reports).filter((name) => /^X-Source: \S/m.test(fixture(name).toString()));
    expect(sourced.length).toBeGreaterThanOrEqual(20);
  });

  test("in words that nobody knows is a soft bounce, unless it has a sender or says that the mail is still tried", async () => {
    const deadLetter = (words: string, subject = "Hello") => Buffer.from(`Subject: ${subject}\r\n\r\n${words}\r\n`);
    expect(await take(deadLetter("Your mail was not liked here."))).toEqual(["bounce"]);
    expect(events()).toMatchObject([
      { name: "bounce", properties: { bounceType: "soft", kind: "unknown", text: "Your mail was not liked here." } },
    ]);
    appended = [];
    expect(await take(deadLetter("Your mail was not liked here."), { hasSender: true })).toEqual(["letter"]);
    expect(await take(deadLetter("Not yet.", "Delayed Mail (still being retried)"))).toEqual(["delayed"]);
    expect(await take(deadLetter("I am away.", "Automatic reply: Spring sale"))).toEqual(["auto-reply"]);
    expect(appended).toEqual([]);
    expect(await take(deadLetter("Nobody here has that account: it does not exist."))).toEqual(["bounce"]);
    expect(events()[0].properties).toMatchObject({ bounceType: "soft", kind: "unknown" });
  });

  test("whose subject quotes that of the mail says nothing by it", async () => {
    const report = "Your message could not be delivered.\r\n\r\n<ada@example.org>:\r\n550 User unknown\r\n";
    const subject = "Subject: Undeliverable: Your order is delayed, this is no spam\r\n\r\n";
    expect(await take(Buffer.from(subject + report))).toEqual(["bounce"]);
    expect(events()[0].properties).toMatchObject({ bounceType: "hard", code: 550 });
  });

  test("is read by its `X-Supplementary-Info` where it has no `Diagnostic-Code`", async () => {
    const fields = "Final-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: 5.0.0\r\n";
    const report = [
      "Content-Type: multipart/report; boundary=b\r\n",
      `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n${fields}`,
      "X-Supplementary-Info: < #5.1.1 smtp;550 5.1.1 <ada@example.org>... User unknown>\r\n--b--\r\n",
    ];
    expect(await take(Buffer.from(`${report[0]}\r\n${report[1]}${report[2]}`))).toEqual(["bounce"]);
    expect(events()[0].properties).toMatchObject({ bounceType: "hard", code: 550 });
  });

  test.each(Object.entries(complaints))("called %s is a %s", async (name, outcome) => {
    expect(await take(fixture(name))).toEqual([outcome]);
    expect(events()).toMatchObject([{ name: outcome, properties: { mcID: MCID } }]);
  });

  test("has a fixture for each row of the tables, and no other", () => {
    const files = readdirSync(FOLDER).map((name) => name.replace(".eml", ""));
    expect(files.sort()).toEqual([...Object.keys(reports), ...Object.keys(others), ...Object.keys(complaints)].sort());
  });

  test("names its recipient by the name of the domain in DNS, or in UTF-8, and the copy as well", async () => {
    const status = (recipients: readonly string[], part = "delivery-status") =>
      Buffer.from(
        [
          "Content-Type: multipart/report; boundary=b\r\n",
          `--b\r\nContent-Type: message/${part}\r\nContent-Transfer-Encoding: 8bit\r\n`,
          "Reporting-MTA: dns; mx.example.org\r\n",
          ...recipients.map(
            (one) =>
              `Final-Recipient: ${one}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 für immer weg\r\n`,
          ),
          "--b--\r\n",
        ].join("\r\n"),
      );
    send = { ...known, address: "ada@exämple.org", bcc: "jörg@exämple.org" };
    for (const one of ["rfc822; ada@xn--exmple-cua.org", "utf-8; ada@exämple.org"]) {
      appended = [];
      expect(await take(status([one], "global-delivery-status"))).toEqual(["bounce"]);
      expect(events()[0].properties.text).toBe("550 für immer weg");
    }
    appended = [];
    expect(await take(status(["utf-8; jörg@exämple.org"], "global-delivery-status"))).toEqual(["copy"]);
    expect(await take(status(["utf-8; JÖRG@xn--exmple-cua.org"]))).toEqual(["copy"]);
    expect(appended).toEqual([]);
  });

  test("is one bounce however often it comes", async () => {
    for (let time = 0; time < 3; time += 1) await take(fixture("postfix"));
    expect(new Set(events().map(({ UID }) => UID))).toEqual(new Set([`bounce:${MCID}`]));
  });

  test("counts when the row of its send is gone, and when nobody is known any more it is forgotten", async () => {
    send = { ...known, channel: null, address: null, bcc: null };
    expect(await take(fixture("postfixSeveral"))).toEqual(["bounce"]);
    send = undefined;
    expect(await take(fixture("postfix"))).toEqual(["forgotten"]);
  });

  test("about a test of a message changes nothing", async () => {
    const recipients = [`b+${sealed("return", { type: "t" })}@x.example.org`];
    expect(await take(fixture("postfix"), { recipients })).toEqual(["test"]);
  });

  test("is found by its headers where there is no envelope, as in a mailbox", async () => {
    const mail = { head: fixture("sendmail"), hasSender: false };
    expect(await takeMail(ports(), mail)).toEqual(["bounce"]);
  });
});

describe("a token", () => {
  test("is none once it was cut or changed, or made under another key", async () => {
    const own = sealed("return");
    const foreign = createTrackingTokens([Buffer.alloc(32, 2)]).seal({ kind: "return", ...key });
    const wrong = [own.slice(1), own.slice(0, -1), `${own}A`.replace(own[30] ?? "", "-"), foreign, sealed("open")];
    for (const token of wrong) {
      expect(await take(fixture("postfix"), { recipients: [`bounce+${token}@x.example.org`] })).toEqual(["no-token"]);
    }
    expect(appended).toEqual([]);
  });

  test.each(["%", "b-%", "bounce%x", "B=%.z", "%-r"])("is found in an address written as %s", async (pattern) => {
    const recipients = [`${pattern.replace("%", sealed("return"))}@x.example.org`];
    expect(await take(fixture("postfix"), { recipients })).toEqual(["bounce"]);
  });

  test("of a complaint to a feedback loop stands in the mail that it is about", async () => {
    const recipients = ["complaints@shop.example.org"];
    for (const name of ["arfYahoo", "arfNoOriginal"]) {
      expect(await take(fixture(name), { recipients })).toEqual(["complaint"]);
    }
    expect(await take(fixture("postfix"), { recipients })).toEqual(["no-token"]);
  });
});

describe("a mail to the unsubscribe address", () => {
  const unsubscribe = { recipients: [UNSUBSCRIBE], hasSender: true };

  test("unsubscribes, by a wish and an optout under one UID", async () => {
    for (const body of ["Subject: unsubscribe\r\n\r\n", "", "\r\n\r\n\r\n", "Subject: re\r\n\r\nplease"]) {
      appended = [];
      expect(await take(Buffer.from(body), unsubscribe)).toEqual(["optout"]);
      const [wish] = records();
      expect(wish.contact.attributes).toEqual({ channels: { email: { subscribeStatus: "unsubscribed" } } });
      expect(events()).toMatchObject([{ name: "optout", UID: `optout:email:${MCID}` }]);
    }
  });

  test("unsubscribes nobody when a machine answers, or a report strays there", async () => {
    expect(await take(fixture("vacation"), unsubscribe)).toEqual(["auto-reply"]);
    expect(await take(fixture("postfix"), unsubscribe)).toEqual(["letter"]);
    expect(await take(fixture("letter"), { ...unsubscribe, hasSender: false })).toEqual(["letter"]);
    expect(appended).toEqual([]);
  });
});

describe("a hostile mail", () => {
  const KB = 1_024;
  const part = "--b\r\n\r\nx\r\n";
  const nested = Array.from(
    { length: 2_000 },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  ).join("");
  const gzip = "--b\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\nH4sIAAAA\r\n";
  const hostile: readonly (readonly [string, string])[] = [
    ["10,000 parts", `Content-Type: multipart/report; boundary=b\r\n\r\n${part.repeat(10_000)}`],
    ["deep nesting", nested],
    ["a header of 100 KB", `Subject: ${"x".repeat(100 * KB)}\r\n\r\n`],
    ["100,000 headers", "X: y\r\n".repeat(100_000)],
    ["a million lines", `A: b\r\n\r\n${"\n".repeat(1_000_000)}`],
    ["gzip bombs", `Content-Type: multipart/mixed; boundary=b\r\n\r\n${gzip.repeat(1_000)}`],
    ["addresses", `To: ${"a:".repeat(30 * KB)}\r\n\r\n`],
    ["zero bytes", "\0".repeat(300 * KB)],
    [
      "10,000 recipients",
      `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${"Action: failed\n\n".repeat(10_000)}`,
    ],
    [
      "spaces in a plain report",
      `Subject: failure notice\r\nX-Failed-Recipients: ${" ,".repeat(KB)}\r\n\r\n${" ".repeat(100 * KB)}`,
    ],
    ["dashes", `Subject: failure notice\r\n\r\ncould not be delivered ${"-".repeat(100 * KB)}`],
    ["a folded status", `Content-Type: message/delivery-status\r\n\r\nDiagnostic-Code: ${"x\r\n ".repeat(20_000)}`],
    [
      "quota words",
      `Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: x; ${"quota ".repeat(15_000)}`,
    ],
    ["at signs", `Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ${"a@".repeat(50_000)}`],
    [
      "tokens",
      `Content-Type: message/feedback-report\r\n\r\nOriginal-Mail-From: ${`${"A".repeat(90)}@b `.repeat(1_000)}`,
    ],
  ];

  test.each(hostile)("with %s is bounded", async (_name, text) => {
    const [outcome] = await take(Buffer.from(text), { recipients: ["fbl@x.example.org"] });
    expect(outcome).toBe("no-token");
    await take(Buffer.from(text));
    for (const { name } of events()) expect(["bounce", "complaint"]).toContain(name);
  });

  test.each([
    ["10 KB of links", `Content-Type: text/html\r\n\r\n${"<a href=".repeat(1_280)}`],
    ["lines of 60 KB of dashes", `Subject: failure notice\r\n\r\ncould not be delivered\r\n${"-".repeat(60 * KB)}\r\n`],
    ["128 KB of opened tags", `Content-Type: text/html\r\n\r\n${"<".repeat(120 * KB)}`],
    ["128 KB of entities", `Content-Type: text/html\r\n\r\n${"&#x26;".repeat(20 * KB)}`],
  ])("with %s and a token holds up no other mail", async (_name, text) => {
    // Too many of one account are refused for the time being.
    const hostile = Array.from({ length: 3 }, () => take(Buffer.from(text)).catch(({ code }) => [code]));
    const other = sealed("return", { account: 4 });
    expect(await take(fixture("postfix"), { recipients: [`bounce+${other}@x.example.org`] })).toEqual(["bounce"]);
    const outcomes = (await Promise.all(hostile)).flat();
    for (const outcome of outcomes)
      expect(["set-aside", "letter", "delivered", "bounce", "RATE_LIMITED"]).toContain(outcome);
  });

  test("without a token of ours is not parsed", async () => {
    const parses: number[] = [];
    const mail = { head: fixture("postfix"), recipients: ["fbl@x.example.org"], hasSender: false };
    const readMail = async () => {
      parses.push(1);
      return undefined;
    };
    expect(
      await takeMail({ ...ports(), reader: { readMail } }, { ...mail, head: Buffer.from("a".repeat(9_000)) }),
    ).toEqual(["no-token"]);
    expect(parses).toEqual([]);
    expect(await takeMail({ ...ports(), reader: { readMail } }, { ...mail, recipients: [RETURN] })).toEqual([
      "set-aside",
    ]);
    expect(appended).toEqual([]);
  });

  test("is read up to its limits and not beyond", () => {
    const head = new MailHead();
    for (let chunk = 0; chunk < 500; chunk += 1) head.add(Buffer.alloc(1_000, "x"));
    expect(head.bytes().length).toBe(mailLimits.headBytes);
    const lines = new MailHead();
    for (let chunk = 0; chunk < 50; chunk += 1) lines.add(Buffer.from("a\n".repeat(77)));
    lines.add(Buffer.from("more"));
    expect(lines.bytes().toString()).toBe("a\n".repeat(mailLimits.headLines));
  });
});
