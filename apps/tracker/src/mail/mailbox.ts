import { createWorkLoop, HeadwaterError, isInfrastructure, type Logger, type WorkLoop } from "@headwater/kernel";
import { ImapFlow } from "imapflow";
import { MailHead } from "./mailHead.ts";
import type { TakenMail } from "./mailIntake.ts";
import { mailLimits } from "./mailLimits.ts";
import type { ArrivedMail } from "./takeMail.ts";

/** A mailbox to which reports, complaints and unsubscribes come. */
export interface MailboxAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** `INBOX`. */
  readonly folder: string;
}

export interface MailboxOptions {
  readonly mailbox: MailboxAddress;
  /** Takes a mail in; resolves once it is on the log. */
  readonly take: (mail: ArrivedMail) => Promise<TakenMail>;
  readonly logger: Logger;
}

const LOOK_EVERY_MS = 30_000;
const MAILS_A_LOOK = 100;
const LOOK_MS = 300_000;
/** A search answers with all unseen mails in one line: some 200,000 of them. */
const LINE_BYTES_MAX = 2 * 1024 * 1024;
const LITERAL_BYTES_MAX = 2 * mailLimits.headBytes;
const RESPONSE_BYTES_MAX = LINE_BYTES_MAX + LITERAL_BYTES_MAX;
/** Atoms, strings and lists of an answer; each takes a hundred bytes while it is read. */
const RESPONSE_TOKENS_MAX = 10_000;
/** Bytes that a server may send in one look: the search, and every mail with the answers around it. */
const LOOK_BYTES_MAX = 2 * LINE_BYTES_MAX + MAILS_A_LOOK * mailLimits.headBytes;
const COUNT_EVERY_MS = 250;
const TAKEN = "\\Seen";
const FAULTY = "\\Flagged";

/** Looks into the mailbox again and again. */
export function createMailboxLoop(options: MailboxOptions): WorkLoop {
  return createWorkLoop({
    work: () => readMailbox(options),
    idleMs: LOOK_EVERY_MS,
    minMs: 1_000,
    maxMs: 60_000,
    onRetry: (error) => options.logger.warn({ err: error }, "mailbox unavailable, retrying"),
  });
}

/**
 * Takes the mails in that nobody has seen, and marks each as seen once it is on the log. A mail that was on its way when the process ended
 * is taken again, under the same `UID`s. @returns true when there may be more.
 */
export async function readMailbox({ mailbox, take, logger }: MailboxOptions): Promise<boolean> {
  const client = createClient(mailbox);
  // A connection that breaks rejects the call that is under way; without a listener it would end the process.
  client.on("error", (error: Error) => logger.debug({ err: error }, "an IMAP connection failed"));
  const timer = setTimeout(() => client.close(), LOOK_MS);
  const counting = setInterval(() => {
    if (client.stats().received > LOOK_BYTES_MAX) client.close();
  }, COUNT_EVERY_MS);
  try {
    return await takeUnseen(client, { folder: mailbox.folder, take, logger });
  } catch (error) {
    throw isInfrastructure(error) ? error : away(error);
  } finally {
    clearTimeout(timer);
    clearInterval(counting);
    client.close();
  }
}

/** A password never goes over a network in the clear. */
function createClient({ host, port, secure, user, password }: MailboxAddress): ImapFlow {
  const isLoopback = /^(127\.|localhost$|::1$)/.test(host);
  return new ImapFlow({
    ...{ host, port, secure, logger: false, disableAutoIdle: true, disableCompression: true },
    ...{ maxLineLength: LINE_BYTES_MAX, maxLiteralSize: LITERAL_BYTES_MAX, maxResponseSize: RESPONSE_BYTES_MAX },
    maxResponseTokens: RESPONSE_TOKENS_MAX,
    ...(!secure && !isLoopback && { doSTARTTLS: true }),
    auth: { user, pass: password },
  });
}

interface Taking extends Pick<MailboxOptions, "take" | "logger"> {
  readonly folder: string;
}

async function takeUnseen(client: ImapFlow, { folder, take, logger }: Taking): Promise<boolean> {
  await client.connect();
  await client.mailboxOpen(folder);
  const unseen = (await client.search({ seen: false }, { uid: true })) || [];
  for (const uid of unseen.slice(0, MAILS_A_LOOK)) {
    const mail = await fetchMail(client, uid);
    const isTaken = mail === undefined || (await isAccepted(mail, { take, logger }));
    await client.messageFlagsAdd(String(uid), isTaken ? [TAKEN] : [TAKEN, FAULTY], { uid: true });
  }
  await client.logout();
  return unseen.length > MAILS_A_LOOK;
}

/** A mail that a defect of ours breaks on does not block the others. */
async function isAccepted(mail: ArrivedMail, { take, logger }: Pick<Taking, "take" | "logger">): Promise<boolean> {
  try {
    if ((await take(mail)) === "taken") return true;
    logger.warn("a mail ended the process that read it; flagging it in its mailbox");
    return false;
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    logger.error({ err: error }, "processing a mail failed; flagging it in its mailbox");
    return false;
  }
}

async function fetchMail(client: ImapFlow, uid: number): Promise<ArrivedMail | undefined> {
  const part = { start: 0, maxLength: mailLimits.headBytes };
  const found = await client.fetchOne(String(uid), { source: part }, { uid: true });
  if (found === false || found.source === undefined) return undefined;
  const head = new MailHead();
  head.add(found.source);
  return { head: head.bytes(), hasSender: !isFromNobody(head.bytes()) };
}

/** The server writes the sender of the envelope into `Return-Path`. */
function isFromNobody(head: Buffer): boolean {
  const [headers = ""] = head.toString("latin1").split(/\r?\n\r?\n/, 1);
  return /^return-path:[ \t]*<>/im.test(headers);
}

function away(cause: unknown): HeadwaterError {
  const publicMessage = "The mailbox is unavailable.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}
