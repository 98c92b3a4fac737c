import { once } from "node:events";
import type { Socket } from "node:net";
import { type Clock, isInfrastructure, type Logger, systemClock } from "@headwater/kernel";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { createAddressLimits } from "../limits/addressLimits.ts";
import { MailHead } from "./mailHead.ts";
import type { TakenMail } from "./mailIntake.ts";
import { mailLimits } from "./mailLimits.ts";
import type { ArrivedMail } from "./takeMail.ts";

export interface MailServerOptions {
  readonly logger: Logger;
  /** Name of this host, as it greets. */
  readonly name?: string | undefined;
  /** PEM; without them mail comes in the clear. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer } | undefined;
  /** True for an address that mail is taken for. */
  readonly isKnown: (address: string) => boolean;
  /** Takes a mail in; resolves once it is on the log. */
  readonly take: (mail: ArrivedMail) => Promise<TakenMail>;
  readonly clock?: Pick<Clock, "monotonicMs">;
  readonly limits?: Partial<Limits>;
}

/** The listener to which reports, complaints and unsubscribes come by SMTP. */
export interface MailServer {
  /** @returns the port, which the system chooses for 0. */
  start(address: { readonly host: string; readonly port: number }): Promise<number>;
  stop(): Promise<void>;
}

type Limits = { readonly [Name in keyof typeof serverLimits]: number };

/** Limits of connections. Whoever passes one is asked to come again later. */
export const serverLimits = {
  connections: 200,
  connectionsOfAddress: 20,
  /** Mails of one address a second, and at once. */
  mailsPerSecond: 5,
  mailsAtOnce: 200,
  connectionsPerSecond: 5,
  connectionsAtOnce: 100,
  recipients: 50,
  /** Unknown recipients after which a connection ends. */
  unknownRecipients: 10,
  idleMs: 60_000,
  /** However busy it is. */
  connectionMs: 600_000,
  commandBytes: 2_048,
  /** A mail over its size is read to its end for the answer, but no further than this. */
  endlessBytes: 10 * mailLimits.mailBytes,
} as const;
type Done = (error?: Error | null, answer?: string) => void;

const CLOSE_MS = 5_000;
const UNKNOWN = "5.1.1 No such address";
const LATER = "4.7.0 Too much mail from this address, try again later";
const AWAY = "4.3.0 Cannot be stored just now, try again later";
const UNREADABLE = "5.6.0 Cannot be read";
const TOO_LARGE = `5.3.4 A mail may have ${mailLimits.mailBytes} bytes`;

export function createMailServer(options: MailServerOptions): MailServer {
  const limits = { ...serverLimits, ...options.limits };
  const receiver = new MailReceiver(options, limits);
  const server = new SMTPServer(settingsOf(options, limits, receiver));
  const listener = server.server;
  listener.on("connection", (socket) => receiver.connected(socket));
  // Connections that clients break, and handshakes that fail.
  server.on("error", (error: Error) => options.logger.debug({ err: error }, "an SMTP connection failed"));
  return {
    async start({ host, port }) {
      server.listen(port, host);
      await once(listener, "listening");
      const address = listener.address();
      return address === null || typeof address === "string" ? port : address.port;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function settingsOf({ name, tls }: MailServerOptions, limits: Limits, receiver: MailReceiver): SMTPServerOptions {
  return {
    ...(name !== undefined && { name }),
    ...tls,
    banner: "mail in",
    disabledCommands: ["AUTH", ...(tls === undefined ? ["STARTTLS"] : [])],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: mailLimits.mailBytes,
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: CLOSE_MS,
    onConnect: (session, done) => receiver.greet(session, done),
    onMailFrom: (_address, session, done) => receiver.mailFrom(session, done),
    onRcptTo: ({ address }, session, done) => receiver.recipient(address, session, done),
    onData: (stream, session, done) => void receiver.mail(stream, session).then((answer) => done(null, answer), done),
    onClose: (session) => receiver.closed(session),
  };
}

/** Decides about connections, recipients and mails. */
class MailReceiver {
  readonly #options: MailServerOptions;
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #mails;
  readonly #connects;
  /** Open connections by address, and the unknown recipients of each session. */
  readonly #open = new Map<string, number>();
  readonly #sockets = new Map<string, Socket>();
  readonly #sessions = new Map<string, { unknown: number }>();

  constructor(options: MailServerOptions, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.#clock = options.clock ?? systemClock;
    this.#mails = createAddressLimits({ perSecond: limits.mailsPerSecond, burst: limits.mailsAtOnce });
    this.#connects = createAddressLimits({ perSecond: limits.connectionsPerSecond, burst: limits.connectionsAtOnce });
  }

  /** A client that never ends, one byte at a time, is ended. */
  connected(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), this.#limits.connectionMs);
    timer.unref();
    const address = addressOf(socket);
    this.#sockets.set(address, socket);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#sockets.delete(address);
    });
  }

  greet({ id, remoteAddress }: SMTPServerSession, done: Done): void {
    const open = (this.#open.get(remoteAddress) ?? 0) + 1;
    this.#open.set(remoteAddress, open);
    this.#sessions.set(id, { unknown: 0 });
    const isTooMany = open > this.#limits.connectionsOfAddress;
    done(isTooMany || !this.#connects.take(remoteAddress, this.#clock.monotonicMs()) ? refusal(421, LATER) : null);
  }

  closed({ id, remoteAddress }: SMTPServerSession): void {
    if (!this.#sessions.delete(id)) return;
    const open = (this.#open.get(remoteAddress) ?? 0) - 1;
    if (open > 0) this.#open.set(remoteAddress, open);
    else this.#open.delete(remoteAddress);
  }

  mailFrom({ remoteAddress }: SMTPServerSession, done: Done): void {
    done(this.#mails.take(remoteAddress, this.#clock.monotonicMs()) ? null : refusal(451, LATER));
  }

  recipient(address: string, { id }: SMTPServerSession, done: Done): void {
    if (this.#options.isKnown(address)) {
      done();
      return;
    }
    const session = this.#sessions.get(id);
    if (session !== undefined) session.unknown += 1;
    const isTooMany = (session?.unknown ?? 0) >= this.#limits.unknownRecipients;
    done(isTooMany ? refusal(421, "4.7.0 Too many unknown recipients") : refusal(550, UNKNOWN));
  }

  /** @returns the words of the answer 250. */
  async mail(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const head = new MailHead();
    for await (const chunk of stream) {
      head.add(chunk);
      if (stream.byteLength > this.#limits.endlessBytes) this.#sockets.get(addressOf(session))?.destroy();
    }
    if (stream.sizeExceeded) throw refusal(552, TOO_LARGE);
    const { mailFrom, rcptTo } = session.envelope;
    const recipients = rcptTo.map(({ address }) => address);
    const hasSender = mailFrom !== false && mailFrom.address !== "";
    const taken = await this.#take({ head: head.bytes(), recipients, hasSender });
    // For ever: its server is not to send it again.
    if (taken === "set-aside") throw refusal(554, UNREADABLE);
    return "2.0.0 Taken";
  }

  async #take(mail: ArrivedMail): Promise<TakenMail> {
    try {
      return await this.#options.take(mail);
    } catch (error) {
      if (!isInfrastructure(error)) this.#options.logger.error({ err: error }, "processing a mail failed");
      throw refusal(451, AWAY);
    }
  }
}

/** A listener on `::` shows IPv4 as `::ffff:192.0.2.1`, and a session leaves that prefix out. */
function addressOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress?.replace(/^::ffff:/i, "").toLowerCase()}:${remotePort}`;
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
