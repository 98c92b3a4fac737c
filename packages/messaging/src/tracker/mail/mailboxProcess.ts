import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { type AskHost, HostSocket, serveTasks } from "@headwater/sandbox/serve";
import { ImapFlow, type ImapTransport, type ImapTransportOptions, type ImapTransportSocket } from "imapflow";
import { mailLimits } from "./mailLimits.ts";

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

/** One connection to a mailbox, on which its unseen mails are taken. */
export interface MailboxPoll {
  readonly mailbox: MailboxAddress;
  /** Certificates that a server is trusted by, as PEM. */
  readonly ca: readonly string[];
  /** Mails that ended a process, as they were `reading`: they are flagged and not read again. */
  readonly quarantined: ReadonlySet<string>;
}

/** A mail of a mailbox on its way to the host. */
export interface FetchedMail {
  /** First bytes of the mail. */
  readonly source: Uint8Array;
  readonly hasSender: boolean;
}

const LITERAL_BYTES_MAX = 2 * mailLimits.headBytes;
const RESPONSE_BYTES_MAX = mailLimits.mailboxLineBytes + LITERAL_BYTES_MAX;
/** Atoms, strings and lists of an answer; each takes a hundred bytes while it is read. */
const RESPONSE_TOKENS_MAX = 10_000;
const TAKEN = "\\Seen";
const FAULTY = "\\Flagged";

const mailboxTasks = {
  /**
   * Takes the unseen mails of a mailbox in, and marks each as seen once the host has taken it. A mail that the host does not take is flagged.
   * @returns true when there may be more.
   */
  poll: async ({ mailbox, ca, quarantined }: MailboxPoll, ask: AskHost): Promise<boolean> => {
    const client = createClient(mailbox, transportOver(ask, ca));
    // A connection that breaks rejects the call that is under way; without a listener it would end the process.
    client.on("error", () => undefined);
    try {
      return await takeUnseen(client, { folder: mailbox.folder, quarantined, ask });
    } finally {
      client.close();
    }
  },
};

/** Tasks of the process that speaks IMAP. */
export type MailboxTasks = typeof mailboxTasks;

/** A password never goes over a network in the clear. */
function createClient({ host, port, secure, user, password }: MailboxAddress, transport: ImapTransport): ImapFlow {
  const isLoopback = /^(127\.|localhost$|::1$)/.test(host);
  return new ImapFlow({
    ...{ host, port, secure, transport, logger: false, disableAutoIdle: true, disableCompression: true },
    ...{ maxLineLength: mailLimits.mailboxLineBytes, maxLiteralSize: LITERAL_BYTES_MAX },
    ...{ maxResponseSize: RESPONSE_BYTES_MAX, maxResponseTokens: RESPONSE_TOKENS_MAX },
    ...(!secure && !isLoopback && { doSTARTTLS: true }),
    auth: { user, pass: password },
  });
}

/** The host bounds the time of a connection, so that its silence needs no timer here. */
class MailboxSocket extends HostSocket {
  setTimeout(): this {
    return this;
  }
}

function transportOver(ask: AskHost, ca: readonly string[]): ImapTransport {
  const startTls = (socket: Duplex, { host, servername }: ImapTransportOptions, onSecure: () => void) =>
    connectTls({ socket, host, ca: [...ca], ...(servername !== undefined && { servername }) }, onSecure);
  return {
    connect(options, onConnect): ImapTransportSocket {
      const socket = new MailboxSocket(ask);
      if (options.secure) return startTls(socket, options, onConnect);
      setImmediate(onConnect);
      return socket;
    },
    upgrade: startTls,
  };
}

interface Taking extends Pick<MailboxPoll, "quarantined"> {
  readonly folder: string;
  readonly ask: AskHost;
}

async function takeUnseen(client: ImapFlow, { folder, quarantined, ask }: Taking): Promise<boolean> {
  await client.connect();
  const { uidValidity } = await client.mailboxOpen(folder);
  const unseen = (await client.search({ seen: false }, { uid: true })) || [];
  for (const uid of unseen.slice(0, mailLimits.mailsOfPoll)) {
    const name = `${uidValidity} ${uid}`;
    const isTaken = !quarantined.has(name) && (await isTakenBy(ask, { client, uid, name }));
    await client.messageFlagsAdd(String(uid), isTaken ? [TAKEN] : [TAKEN, FAULTY], { uid: true });
  }
  await client.logout();
  return unseen.length > mailLimits.mailsOfPoll;
}

interface UnseenMail {
  readonly client: ImapFlow;
  readonly uid: number;
  /** Names the mail as long as the mailbox has it. */
  readonly name: string;
}

/** A mail that is no longer there counts as taken. */
async function isTakenBy(ask: AskHost, { client, uid, name }: UnseenMail): Promise<boolean> {
  await ask("reading", name);
  const part = { start: 0, maxLength: mailLimits.headBytes };
  const found = await client.fetchOne(String(uid), { source: part }, { uid: true });
  if (found === false || found.source === undefined) return true;
  const mail: FetchedMail = { source: found.source, hasSender: !isFromNobody(found.source) };
  return (await ask("take", mail)) === "taken";
}

/** The server writes the sender of the envelope into `Return-Path`. */
function isFromNobody(source: Buffer): boolean {
  const [headers = ""] = source.toString("latin1").split(/\r?\n\r?\n/, 1);
  return /^return-path:[ \t]*<>/im.test(headers);
}

await serveTasks(mailboxTasks);
