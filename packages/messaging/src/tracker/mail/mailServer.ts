import { once } from "node:events";
import type { Socket } from "node:net";
import {
  type Clock,
  createSlotShares,
  isInfrastructure,
  type Logger,
  networkOf,
  type SlotShares,
  systemClock,
} from "@headwater/kernel";
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
  /** Recipients beyond those of a mail after which a connection ends. */
  recipientsTooMany: 50,
  /** Unknown recipients of one address a second, and at once. */
  unknownPerSecond: 2,
  unknownAtOnce: 100,
  idleMs: 60_000,
  /** A connection that has got nothing done for so long gives way to one for which there is no slot. */
  givesWayMs: 10_000,
  /** Bytes that a client may send outside of its mails. */
  commandBytesPerSecond: 16_384,
  /** However busy it is. */
  connectionMs: 600_000,
  commandBytes: 2_048,
  /** A mail over its size is read to its end for the answer, but no further than this. */
  endlessBytes: 10 * mailLimits.mailBytes,
} as const;
type Done = (error?: Error | null, answer?: string) => void;

const CLOSE_MS = 5_000;
const UNKNOWN = "5.1.1 No such address";
const FULL = "4.3.2 Too many connections, try again later";
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
    stop: () =>
      new Promise((resolve) => {
        receiver.stop();
        server.close(resolve);
      }),
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
    // Connections and recipients are bounded here, by their networks and in time.
    maxClients: Number.MAX_SAFE_INTEGER,
    maxRecipients: Number.MAX_SAFE_INTEGER,
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

/** A connection that was greeted. */
interface Connected {
  /** Address, or network of an IPv6 address, whose slot it holds. */
  readonly network: string;
  readonly peer: string;
  unknown: number;
  /** Recipients of its mail, refused ones and repeats included. */
  recipients: number;
  /** Monotonic time at which it last began, got a recipient accepted, or sent a part of a mail. */
  usefulAtMs: number;
  isSendingMail: boolean;
  /** Bytes of the connection when they were last checked. */
  bytesRead: number;
}

const FLOOD_CHECK_MS = 1_000;

/** Decides about connections, recipients and mails. */
class MailReceiver {
  readonly #options: MailServerOptions;
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #mails;
  readonly #connects;
  readonly #unknown;
  readonly #slots: SlotShares<string>;
  readonly #open = new Map<string, number>();
  readonly #sockets = new Map<string, Socket>();
  readonly #sessions = new Map<string, Connected>();
  readonly #floodCheck: NodeJS.Timeout;

  constructor(options: MailServerOptions, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.#clock = options.clock ?? systemClock;
    this.#mails = createAddressLimits({ perSecond: limits.mailsPerSecond, burst: limits.mailsAtOnce });
    this.#connects = createAddressLimits({ perSecond: limits.connectionsPerSecond, burst: limits.connectionsAtOnce });
    this.#unknown = createAddressLimits({ perSecond: limits.unknownPerSecond, burst: limits.unknownAtOnce });
    this.#slots = createSlotShares(limits.connections);
    this.#floodCheck = setInterval(() => this.#endFloods(), FLOOD_CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#floodCheck);
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

  /** Refuses a network that has as many connections as it leaves free, and makes one that gets nothing done give way to any other. */
  greet(session: SMTPServerSession, done: Done): void {
    const { id, remoteAddress } = session;
    const nowMs = this.#clock.monotonicMs();
    const network = networkOf(remoteAddress);
    const refused = this.#refusalOf(remoteAddress, network, nowMs);
    if (refused === undefined) {
      this.#slots.take(network);
      this.#open.set(network, (this.#open.get(network) ?? 0) + 1);
      const counts = { unknown: 0, recipients: 0, isSendingMail: false, bytesRead: 0 };
      this.#sessions.set(id, { network, peer: addressOf(session), usefulAtMs: nowMs, ...counts });
    }
    done(refused);
  }

  #refusalOf(address: string, network: string, nowMs: number): Error | undefined {
    const isMany = (this.#open.get(network) ?? 0) >= this.#limits.connectionsOfAddress;
    if (isMany || !this.#connects.take(address, nowMs)) return refusal(421, LATER);
    if (!this.#slots.admits(network)) this.#closeIdlest(nowMs);
    return this.#slots.admits(network) ? undefined : refusal(421, FULL);
  }

  closed({ id }: Pick<SMTPServerSession, "id">): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    this.#slots.give(session.network);
    const open = (this.#open.get(session.network) ?? 0) - 1;
    if (open > 0) this.#open.set(session.network, open);
    else this.#open.delete(session.network);
  }

  mailFrom({ id, remoteAddress }: SMTPServerSession, done: Done): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.recipients = 0;
    done(this.#mails.take(remoteAddress, this.#clock.monotonicMs()) ? null : refusal(451, LATER));
  }

  recipient(address: string, session: SMTPServerSession, done: Done): void {
    const connected = this.#sessions.get(session.id);
    if (connected === undefined) {
      done(refusal(421, LATER));
      return;
    }
    connected.recipients += 1;
    const { recipients, recipientsTooMany } = this.#limits;
    if (connected.recipients > recipients) {
      const isFlood = connected.recipients > recipients + recipientsTooMany;
      done(isFlood ? refusal(421, LATER) : refusal(452, "4.5.3 Too many recipients"));
    } else if (this.#options.isKnown(address)) {
      connected.usefulAtMs = this.#clock.monotonicMs();
      done();
    } else done(this.#unknownRecipient(connected, session.remoteAddress));
  }

  #unknownRecipient(connected: Connected, address: string): Error {
    connected.unknown += 1;
    const isOfFlood = !this.#unknown.take(address, this.#clock.monotonicMs());
    const isTooMany = isOfFlood || connected.unknown >= this.#limits.unknownRecipients;
    return isTooMany ? refusal(421, "4.7.0 Too many unknown recipients") : refusal(550, UNKNOWN);
  }

  /** Closes the connection that has got nothing done for longest. */
  #closeIdlest(nowMs: number): void {
    const idle = [...this.#sessions].filter(
      ([, { isSendingMail, usefulAtMs }]) => !isSendingMail && nowMs - usefulAtMs >= this.#limits.givesWayMs,
    );
    const [first] = idle.toSorted(([, a], [, b]) => a.usefulAtMs - b.usefulAtMs);
    if (first === undefined) return;
    const [id, { peer }] = first;
    this.#sockets.get(peer)?.destroy();
    this.closed({ id });
  }

  /** Ends connections that send commands faster than anybody would answer them. */
  #endFloods(): void {
    for (const session of this.#sessions.values()) {
      const socket = this.#sockets.get(session.peer);
      if (socket === undefined) continue;
      const bytes = socket.bytesRead - session.bytesRead;
      session.bytesRead = socket.bytesRead;
      if (bytes > this.#limits.commandBytesPerSecond && !session.isSendingMail) socket.destroy();
    }
  }

  /** @returns the words of the answer 250. */
  async mail(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const head = new MailHead();
    const connected = this.#sessions.get(session.id);
    if (connected !== undefined) connected.isSendingMail = true;
    for await (const chunk of stream) {
      head.add(chunk);
      if (stream.byteLength > this.#limits.endlessBytes) this.#sockets.get(addressOf(session))?.destroy();
    }
    if (connected !== undefined) {
      connected.isSendingMail = false;
      connected.usefulAtMs = this.#clock.monotonicMs();
      connected.bytesRead = this.#sockets.get(connected.peer)?.bytesRead ?? 0;
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
