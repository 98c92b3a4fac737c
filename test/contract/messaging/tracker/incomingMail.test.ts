import { randomBytes } from "node:crypto";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import { accountSettings } from "@headwater/contracts";
import { createMetrics, newAccountId } from "@headwater/kernel";
import { findReportedSend } from "@headwater/messaging/sends/reportedSend";
import { createIncomingReader } from "@headwater/messaging/tracker/incoming/createIncomingReader";
import { createMailbox } from "@headwater/messaging/tracker/mail/mailbox";
import { createMailIntake } from "@headwater/messaging/tracker/mail/mailIntake";
import { createMailServer, type MailServer } from "@headwater/messaging/tracker/mail/mailServer";
import { createRefusalNotes } from "@headwater/messaging/tracker/mail/noteRefusal";
import type { TokenKind } from "@headwater/messaging/tracking/trackingToken";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type MailServer as GreenMail, startMailServer } from "../../../../infra/src/index.ts";
import { type Ingress, startIngress } from "../../intake/ingress/ingressFixture.ts";
import { logger } from "../../stores/fresh.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const MESSAGE = "65f0c0ffee65f0c0ffee00aa";
const report = (status: string, diagnostic: string) =>
  [
    "From: MAILER-DAEMON@mx.example.org",
    "Subject: Undelivered Mail Returned to Sender",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b\r\nContent-Type: message/delivery-status\r\n",
    "Reporting-MTA: dns; mx.example.org\r\n",
    `Final-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${diagnostic}`,
    "--b--\r\n",
  ].join("\r\n");

const reader = createIncomingReader();
let log: Ingress;
let greenMail: GreenMail;
let listener: MailServer;
let port: number;
let mailIntake: ReturnType<typeof createMailIntake>;
let account: { readonly id: string; readonly number: number };
beforeAll(async () => {
  [log, greenMail] = await Promise.all([startIngress(), startMailServer()]);
  account = await addAccount();
  mailIntake = createMailIntake({
    ...{ reader, tokens, complaintAddresses: [], metrics: createMetrics({ processMetrics: false }), nowMs: () => 0 },
    findSend: (token) => findReportedSend(log.database, token),
    noteRefusal: createRefusalNotes({ postgres: log.database, logger, nowMs: () => 0 }),
    producer: { append: (append) => log.producer.append({ ...append, topic: log.topic }) },
  });
  listener = createMailServer({ logger, isKnown: mailIntake.isKnown, take: mailIntake.smtp });
  port = await listener.start({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await listener.stop();
  await Promise.all([greenMail.stop(), log.stop(), reader.close()]);
});

function addAccount() {
  const settings = accountSettings.parse({});
  return createAccount(log.database, { id: newAccountId(), name: randomBytes(6).toString("hex"), settings });
}

/** Stores a send of a batch message to a contact of this number; without a row its contact alone is known. */
async function sent(contact: number, { hasRow = true, of = account } = {}): Promise<void> {
  const values = [of.number, contact, `c${contact}`];
  const contactRow = `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, doc)
    VALUES ($1, $2, $3, 0, 0, gen_random_uuid(), 1, '{}')`;
  await log.database.execute({ text: contactRow }, values);
  const sendRow = `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, resends_left,
    created_at, due_at, at, address) VALUES ($1, '${MESSAGE}', $2, 1, 'b', $3, 'email', 'promotional', 2, 'sent', 0, 0, 0, 0, 'ada@example.org')`;
  if (hasRow) await log.database.execute({ text: sendRow }, values);
}
const addressOf = (kind: TokenKind, contact: number, of = account) => {
  const token = tokens.seal({ kind, account: of.number, contact, message: MESSAGE, type: "b", n: 1 });
  return `bounce+${token}@mail.shop.example.org`;
};
const mcIdOf = (contact: number, of = account) => `${of.id}:${MESSAGE}:b:c${contact}:1`;
const send = (to: string, raw: string, at = port) =>
  createTransport({ host: "127.0.0.1", port: at, ignoreTLS: true }).sendMail({ envelope: { from: "", to }, raw });
const written = (contact: number, of = account) =>
  log.records.map(({ event }) => Object(event)).filter(({ properties }) => properties?.mcID === mcIdOf(contact, of));

test("a report that comes by SMTP stands on the log before the answer, with the names of its send", async () => {
  await sent(1);
  await send(addressOf("return", 1), report("5.1.1", "550 5.1.1 User unknown"));
  await expect.poll(() => written(1).length).toBe(1);
  expect(written(1)[0]).toMatchObject({
    ...{ name: "bounce", UID: `bounce:${mcIdOf(1)}` },
    properties: { channel: "email", bounceType: "hard", code: 550, text: "550 5.1.1 User unknown" },
  });
});

test("a report about a send whose row is gone counts, one about nobody is taken and changes nothing", async () => {
  await sent(2, { hasRow: false });
  await send(addressOf("return", 2), report("4.2.2", "452 4.2.2 full"));
  await expect.poll(() => written(2).length).toBe(1);
  expect(written(2)[0].properties).toMatchObject({ bounceType: "soft", kind: "full" });
  await send(addressOf("return", 999), report("5.1.1", "550"));
});

test("reports of refusals by policy pause the message that is being sent", async () => {
  const row = `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at)
    VALUES ($1, '${MESSAGE}', 'email', 'processing', '{}', 0, 0)`;
  await log.database.execute({ text: row }, [account.number]);
  const health = `INSERT INTO message_health (account, message, renders, answers) VALUES ($1, '${MESSAGE}', '', repeat('.', 191) || repeat('p', 8))`;
  await log.database.execute({ text: health }, [account.number]);
  const state = async () => {
    const text = `SELECT status, reason FROM batch_messages WHERE account = $1 AND id = '${MESSAGE}'`;
    return (await log.database.query<{ status: string; reason: string | null }>({ text }, [account.number]))[0];
  };
  await sent(20);
  await sent(21);
  await send(addressOf("return", 20), report("5.0.0", "550 relaying denied"));
  expect(await state()).toEqual({ status: "processing", reason: null });
  await send(addressOf("return", 21), report("5.7.1", "550 5.7.1 blocked"));
  expect(await state()).toEqual({ status: "paused", reason: "blocked" });
});

test("a forged token is refused at its recipient", async () => {
  const forged = addressOf("return", 1).replace(/.@/, "A@");
  await expect(send(forged, report("5.1.1", "550"))).rejects.toMatchObject({ responseCode: 550 });
});

test("a report about another account's send of the same numbers counts there alone", async () => {
  await sent(5);
  const other = await addAccount();
  await sent(5, { of: other });
  const quoted = `${report("5.1.1", "550 5.1.1 User unknown")}Return-Path: <${addressOf("return", 5)}>\r\n`;
  await send(addressOf("return", 5, other), quoted);
  await expect.poll(() => written(5, other).length).toBe(1);
  expect(written(5)).toEqual([]);
});

test("a report of 10,000 parts counts by its first ones, one of 50 MiB is refused, and the listener goes on", async () => {
  await sent(6);
  await sent(7);
  const parts = report("5.1.1", "550 5.1.1 User unknown").replace("--b--", "--b\r\n\r\nx\r\n".repeat(10_000));
  await send(addressOf("return", 6), `${parts}--b--\r\n`);
  await expect.poll(() => written(6).length).toBe(1);
  const line = `${"x".repeat(998)}\r\n`;
  const large = `${report("5.1.1", "550 5.1.1 User unknown")}${line.repeat((50 * 1_024 * 1_024) / line.length)}`;
  await expect(send(addressOf("return", 7), large)).rejects.toMatchObject({ responseCode: 552 });
  await send(addressOf("return", 7), report("4.2.2", "452 4.2.2 full"));
  await expect.poll(() => written(7).map(({ properties }) => properties.bounceType)).toEqual(["soft"]);
});

test("with Kafka away a mail is asked to come later, and comes", async () => {
  await sent(3);
  log.kafkaProxy.setMode("refuse");
  const raw = report("5.1.1", "550 5.1.1");
  await expect(send(addressOf("return", 3), raw)).rejects.toMatchObject({ responseCode: 451 });
  log.kafkaProxy.setMode("forward");
  await expect.poll(() => send(addressOf("return", 3), raw).then(() => "taken", String)).toBe("taken");
  await expect.poll(() => new Set(written(3).map(({ UID }) => UID)).size).toBe(1);
});

test("a mailbox is read once, also when the process ended between the log and the mark", async () => {
  await sent(4);
  // GreenMail takes no mail from nobody: `Return-Path` names who sent it, as the server that delivers a mail writes it.
  const deliver = (kind: TokenKind, raw: string) =>
    createTransport({ host: "127.0.0.1", port: greenMail.smtpPort, ignoreTLS: true }).sendMail({
      envelope: { from: "ada@example.org", to: addressOf(kind, 4) },
      raw: `To: ${addressOf(kind, 4)}\r\n${raw}`,
    });
  await deliver("return", report("5.1.1", "550 5.1.1 User unknown"));
  await deliver("unsubscribe", "Return-Path: <>\r\nSubject: nobody asks for this\r\n\r\n");
  await deliver("unsubscribe", "Subject: unsubscribe\r\n\r\n");
  const taken: string[] = [];
  const open = (kind: TokenKind, take = mailIntake.imap) => {
    const user = addressOf(kind, 4);
    const mailbox = createMailbox({
      mailbox: { host: "127.0.0.1", port: greenMail.imapPort, secure: false, user, password: user, folder: "INBOX" },
      logger,
      take: async (mail) => {
        const became = await take(mail);
        taken.push(user);
        return became;
      },
    });
    onTestFinished(() => mailbox.close());
    return mailbox;
  };
  const ends = async (mail: Parameters<typeof mailIntake.imap>[0]) => {
    await mailIntake.imap(mail);
    throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
  };
  await expect(open("return", ends).poll()).rejects.toThrow("killed");
  const mailboxes = [open("return"), open("unsubscribe")];
  for (const mailbox of [...mailboxes, ...mailboxes]) expect(await mailbox.poll()).toBe(false);
  expect(taken).toHaveLength(3);
  const uids = () => new Set(written(4).map(({ UID }) => UID));
  await expect.poll(uids).toEqual(new Set([`bounce:${mcIdOf(4)}`, `optout:email:${mcIdOf(4)}`]));
});
