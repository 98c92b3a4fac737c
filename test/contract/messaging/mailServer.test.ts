import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { composeMail, messageIdOf } from "@headwater/messaging/compose/composeMail";
import { signMail } from "@headwater/messaging/compose/dkim";
import { createHandover } from "@headwater/messaging/handover/createHandover";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type MailServer, startMailServer } from "../../../infra/src/index.ts";
import { logger } from "../stores/fresh.ts";

const rsa = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const record = `v=DKIM1; k=rsa; p=${rsa.publicKey.toString("base64")}`;
const mailbox = z.array(z.looseObject({ subject: z.string(), mimeMessage: z.string() }));
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const renders = createRenderer();
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => Promise.all([server.stop(), outbound.close(), renders.close()]));

const mailsOf = async (address: string) => {
  const answer = await fetch(`${server.url}/api/user/${address}/messages`);
  return mailbox.parse(await answer.json());
};

test("a signed mail arrives at a server of other authors as it was composed, and once with its copy", async () => {
  const mcId = "a1:m1:b:65f0c0ffee65f0c0ffee0001:1";
  const [nowMs, fromEmail] = [systemClock.nowMs(), "news@example.com"];
  const composed = await composeMail({
    ...{ mcId, classification: "promotional", to: "ada@example.org", nowMs, isSigned: true },
    headers: { subject: "Grüße aus dem Laden", fromEmail, fromDesc: "Laden" },
    html: `<p>Für dich</p>\n.\n<p>${"long ".repeat(300)}</p>`,
    text: "Für dich\n.\n",
    unsubscribe: { url: "https://t.example.com/t/u/abc", mailto: "u+abc@example.com" },
    listId: "news.example.com",
  });
  const keys = [{ domain: "example.com", selector: "r1", privateKey: createPrivateKey(rsa.privateKey) }];
  const raw = await signMail(composed, { fromEmail, keys, nowMs });
  const settings = JSON.stringify({ host: "127.0.0.1", port: server.smtpPort, connections: 1 });
  const handover = createHandover(
    { id: "t1", type: "smtp", settings, accountId: "a1", account: 1 },
    { outbound, renders, logger, clock: systemClock, sealer: createSealer([Buffer.alloc(32, 7)]) },
  );
  const mail = { mcId, channel: "email", address: "ada@example.org", content: {}, headers: {}, raw };
  const classification = "promotional" as const;
  const outgoing = { ...mail, classification, copies: ["copy@example.com"], returnPath: "bounce+abc@example.com" };
  const { outcome } = await handover.deliver(outgoing, new AbortController().signal);
  expect(outcome).toEqual({ kind: "sent" });
  await handover.close();

  for (const address of ["ada@example.org", "copy@example.com"]) {
    const mails = await mailsOf(address);
    expect(mails.map(({ subject }) => subject)).toEqual(["Grüße aus dem Laden"]);
    const arrived = mails[0]?.mimeMessage ?? "";
    expect(arrived).toContain(`Message-ID: ${messageIdOf(mcId, "example.com")}`);
    const { results } = await dkimVerify(Buffer.from(arrived, "latin1"), { resolver: async () => [[record]] });
    expect(results.map(({ status }) => status.result)).toEqual(["pass"]);
  }
});
