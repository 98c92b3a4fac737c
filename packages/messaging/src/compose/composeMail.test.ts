import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { describe, expect, test } from "vitest";
import { composeMail, messageIdOf } from "./composeMail.ts";
import { signMail } from "./dkim.ts";
import type { MailToCompose } from "./mailToCompose.ts";

const encodings = {
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
} as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048, ...encodings });
const ed25519 = generateKeyPairSync("ed25519", encodings);
const records: Readonly<Record<string, string>> = {
  "r1._domainkey.example.com": `v=DKIM1; k=rsa; p=${rsa.publicKey.toString("base64")}`,
  "e1._domainkey.example.com": `v=DKIM1; k=ed25519; p=${ed25519.publicKey.subarray(-32).toString("base64")}`,
};
const resolver = async (name: string) => {
  const record = records[name];
  if (record === undefined) throw Object.assign(new Error("no record"), { code: "ENOTFOUND" });
  return [[record]];
};
const keys = [
  { domain: "example.com", selector: "r1", privateKey: createPrivateKey(rsa.privateKey) },
  { domain: "example.com", selector: "e1", privateKey: createPrivateKey(ed25519.privateKey) },
  { domain: "other.example", selector: "x", privateKey: createPrivateKey(ed25519.privateKey) },
];

const mail: MailToCompose = {
  mcId: "a1:m1:b:65f0c0ffee65f0c0ffee0001:1",
  classification: "promotional",
  to: "ada@example.org",
  headers: {
    subject: "Grüße\r\nBcc: evil@example.org",
    fromEmail: "news@Example.com",
    fromDesc: 'Shop, "the" one\r\nX: y',
  },
  html: `<p>Hällo  ${"long ".repeat(300)}</p>\n.\n<p> end </p>\n\n`,
  text: "Hällo\n.dot\n",
  unsubscribe: { url: "https://t.example.com/t/u/abc", mailto: "u+abc@example.com" },
  listId: "news.example.com",
  feedbackId: "m1:a1:b:headwater",
  isSigned: true,
  nowMs: Date.UTC(2026, 0, 9),
};
const mailOnWire = async (input: MailToCompose) =>
  signMail(await composeMail(input), { fromEmail: input.headers.fromEmail, keys, nowMs: input.nowMs });
const verify = async (raw: Buffer) => {
  const { results } = await dkimVerify(raw, { resolver });
  return results.map(({ signingDomain, selector, status }) => `${signingDomain} ${selector} ${status.result}`);
};

describe("a mail", () => {
  test("is signed with RSA and Ed25519 by the keys of its sender's domain, and by no other", async () => {
    const raw = await mailOnWire(mail);
    expect((await verify(raw)).sort()).toEqual(["example.com e1 pass", "example.com r1 pass"]);
  });

  test("without a key of its sender goes as it was composed, and its body is not hashed", async () => {
    const unsigned = await composeMail({ ...mail, isSigned: false });
    expect(unsigned.bodyHash).toBeUndefined();
    const raw = await signMail(unsigned, { fromEmail: "news@elsewhere.example", keys, nowMs: mail.nowMs });
    expect(Buffer.compare(raw, unsigned.bytes)).toBe(0);
    const { bytes } = await composeMail(mail);
    expect(Buffer.compare(raw, bytes)).toBe(0);
    const { fromEmail } = mail.headers;
    await expect(signMail(unsigned, { fromEmail, keys, nowMs: mail.nowMs })).rejects.toThrow("as one that is signed");
  });

  test("does not pass once a body, a header or a list header was changed or added", async () => {
    const text = (await mailOnWire(mail)).toString("latin1");
    const changes = [
      text.replace("<p> end", "<p> End"),
      text.replace("t/u/abc", "t/u/abd"),
      text.replace("\r\nSubject: ", "\r\nSubject: other\r\nSubject: "),
      text.replace("\r\nTo: ", "\r\nCc: b@example.org\r\nTo: "),
    ];
    for (const changed of changes) {
      expect(changed).not.toBe(text);
      expect((await verify(Buffer.from(changed, "latin1"))).filter((result) => result.endsWith("pass"))).toEqual([]);
    }
  });

  test.each([
    ["reply+x@shop.example", "reply%2Bx@shop.example"],
    ["", "news@Example.com"],
    ["nobody", "news@Example.com"],
    ["a,b>@shop.example", "a%2Cb%3E@shop.example"],
  ])("without a return path lets its reader unsubscribe by a mail to where replies go: %o", async (replyEmail, to) => {
    const { mailto: _mailto, ...unsubscribe } = {
      mailto: "",
      ...mail.unsubscribe,
      url: "https://t.example.com/t/u/abc",
    };
    const raw = await mailOnWire({ ...mail, headers: { ...mail.headers, replyEmail }, unsubscribe });
    expect(raw.toString("latin1")).toContain(`, <mailto:${to}?subject=unsubscribe>\r\n`);
  });

  test("has every header of promotional mail, on lines of its own", async () => {
    const head = (await mailOnWire(mail)).toString("latin1").split("\r\n\r\n")[0] ?? "";
    const lines = head.split(/\r\n(?![ \t])/);
    expect(lines).toEqual(
      expect.arrayContaining([
        "List-Unsubscribe: <https://t.example.com/t/u/abc>, <mailto:u+abc@example.com>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Feedback-ID: m1:a1:b:headwater",
        `Message-ID: ${messageIdOf(mail.mcId, "example.com")}`,
        "Date: Fri, 09 Jan 2026 00:00:00 +0000",
        "To: ada@example.org",
      ]),
    );
    expect(lines.find((line) => /^list-id:/i.test(line))).toMatch(/: <news\.example\.com>$/);
    expect(lines.filter((line) => /^(bcc|x):/i.test(line))).toEqual([]);
    expect(head).not.toMatch(/\r\nAuto-Submitted/i);
  });

  test("of the transactional class says that no person wrote it, and has no list", async () => {
    const head = (await mailOnWire({ ...mail, classification: "transactional" }))
      .toString("latin1")
      .split("\r\n\r\n")[0];
    expect(head).toContain("Auto-Submitted: auto-generated");
    expect(head).not.toMatch(/\r\nList-/i);
  });

  test("has one Message-ID for every try, which reveals nothing of its contact", () => {
    const id = messageIdOf(mail.mcId, "Example.com");
    expect(id).toBe(messageIdOf(mail.mcId, "example.com"));
    expect(id).not.toBe(messageIdOf(`${mail.mcId}1`, "example.com"));
    expect(id).toMatch(/^<[\w-]{43}@example\.com>$/);
  });
});
