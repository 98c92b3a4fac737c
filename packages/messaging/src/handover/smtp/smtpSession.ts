import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { OUTBOUND_REFUSED, type Outbound } from "@headwater/kernel";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SmtpAnswer, SmtpStep } from "../../outcomes/classifyAnswer.ts";
import { answerOf, type SmtpError } from "./smtpFailure.ts";
import { type SmtpTarget, type SmtpTimeouts, securityOf } from "./smtpTarget.ts";

const BLOCK_BYTES = 65_536;

const OF_TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/;

const UNTRUSTED = "No authority that is trusted here vouches for the server's certificate.";

/** Codes of OpenSSL and Node for certificates that are not taken. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet.",
  CERT_REVOKED: "The server's certificate was revoked.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name.",
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

export interface SmtpPorts {
  readonly outbound: Pick<Outbound, "connect">;
  readonly timeouts: SmtpTimeouts;
  /** PEM of an authority to trust, instead of the system's. */
  readonly authority?: string;
}

/** A mail in its envelope. */
export interface SmtpMail {
  readonly from: string;
  readonly to: string;
  /** Recipients whose refusal counts for nothing. */
  readonly copies: readonly string[];
  readonly raw: Buffer;
  readonly isClaimed: () => boolean;
}

/** Answer to a mail. Without a code the dialogue ended by itself; `problem` says why when it was our side. */
export interface SessionAnswer extends SmtpAnswer {
  readonly problem?: "private-address" | "credentials" | "sender" | "recipient" | "too-large";
  /** Says why TLS failed, before the dialogue began. */
  readonly tlsFault?: string;
  /** The connection was encrypted when the dialogue ended. */
  readonly isSecure?: boolean;
}

type Raced<Value> = { readonly error: SmtpError } | { readonly value: Value | undefined };

/** The longest time that a timer takes. */
const LONGEST_MS = 2_147_483_647;
/** nodemailer's own clocks see a socket that is quiet; the session's see a server that answers a byte at a time, too. */
const quiet = { greetingTimeout: LONGEST_MS, connectionTimeout: LONGEST_MS, socketTimeout: LONGEST_MS };
const CLOSING = 421;
/** Bytes that a server may send within one step. A reply has a few lines of at most 512 (RFC 5321, 4.5.3.1.5). */
const ANSWER_BYTES_MAX = 64 * 1024;

/** nodemailer writes into the envelope who was refused. */
interface SmtpEnvelope {
  readonly from: string;
  readonly to: string[];
  readonly size: number;
  readonly use8BitMime: boolean;
  readonly rejected?: readonly string[];
  readonly rejectedErrors?: readonly SmtpError[];
}

/**
 * One connection to a server. nodemailer's errors say too little (a connection lost before RCPT and one lost after the final
 * dot look alike), so the session keeps the step, the clock of each step, and whether the dot may be out.
 */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  readonly #socket: Socket;
  readonly #timeouts: SmtpTimeouts;
  #step: SmtpStep = "CONN";
  #isDead = false;
  /** Bytes that came in within the step. */
  #answerBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #onLost: ((error: SmtpError) => void) | undefined;

  private constructor(connection: SMTPConnection, socket: Socket, timeouts: SmtpTimeouts) {
    this.#connection = connection;
    this.#socket = socket;
    this.#timeouts = timeouts;
    boundAnswers(connection, (bytes) => this.#takes(bytes));
    connection.on("error", (error) => this.#lose(error));
    // After 421 the answer comes after the end.
    connection.on("end", () => setImmediate(() => this.#lose(new Error("The connection ended."))));
  }

  /** Connects, secures the connection and signs in. Resolves to the answer that stood in the way, if one did. */
  static async open(target: SmtpTarget, { outbound, timeouts, authority }: SmtpPorts) {
    const security = securityOf(target, authority);
    let socket: Socket;
    try {
      socket = await outbound.connect(security, AbortSignal.timeout(timeouts.handshakeMs));
    } catch (error) {
      const isRefused = error instanceof Error && Reflect.get(error, "code") === OUTBOUND_REFUSED;
      return privateOrAway(isRefused);
    }
    const connection = new SMTPConnection({ ...security, ...quiet, connection: socket, logger: false });
    const session = new SmtpSession(connection, socket, timeouts);
    const failure = (await session.#shakeHands()) ?? (await session.#signIn(target));
    return failure ?? session;
  }

  /** False once the connection is gone or out of step. */
  get isAlive(): boolean {
    return !this.#isDead;
  }

  get isSecure(): boolean {
    return this.#connection.secure;
  }

  /** Sends one mail. A session that is not alive afterwards is of no more use. */
  async send(mail: SmtpMail): Promise<SessionAnswer> {
    const { from, to, copies, raw } = mail;
    const recipients = [to, ...copies.filter((copy) => copy !== to)];
    const envelope: SmtpEnvelope = { from, to: recipients, size: raw.length, use8BitMime: true };
    const stream = this.#streamOf(mail, envelope);
    this.#enter("MAIL", this.#timeouts.envelopeMs);
    const outcome = await this.#race<{ readonly response: string }>((done) =>
      this.#connection.send(envelope, stream, done),
    );
    if ("error" in outcome) return this.#refused(outcome.error, { stream, envelope, to });
    if (stream.readableEnded) return accepted(outcome.value?.response ?? "");
    // An answer before the end is none: the dot never goes out.
    this.close();
    return { step: "DATA", dotMayBeOut: false };
  }

  #refused(
    error: SmtpError,
    sent: { readonly stream: MailStream; readonly envelope: SmtpEnvelope; readonly to: string },
  ): SessionAnswer {
    const { stream, envelope, to } = sent;
    const { readableEnded: dotMayBeOut, hasBegun } = stream;
    const { rejectedErrors = [] } = envelope;
    const answer = answerOf(error, { step: this.#step, dotMayBeOut, to, refusals: rejectedErrors });
    const isInStep = answer.code !== undefined && answer.code !== CLOSING && (dotMayBeOut || !hasBegun);
    if (!isInStep) this.close();
    return { ...answer, ...problemOf(error) };
  }

  /** Forgets a mail that was refused, so that the next one begins again. */
  async reset(): Promise<void> {
    this.#enter("MAIL", this.#timeouts.loginMs);
    const outcome = await this.#race((done) => this.#connection.reset(done));
    if ("error" in outcome) this.close();
  }

  /** Ends politely when nothing is under way. */
  quit(): void {
    if (this.#isDead) return;
    this.#enter("CONN", this.#timeouts.idleMs);
    this.#connection.quit();
  }

  close(): void {
    this.#isDead = true;
    clearTimeout(this.#timer);
    this.#connection.close();
    this.#socket.destroy();
  }

  async #shakeHands(): Promise<SessionAnswer | undefined> {
    this.#enter("CONN", this.#timeouts.handshakeMs);
    return this.#failureOf(await this.#race((done) => this.#connection.connect(done)));
  }

  async #signIn({ username, password = "" }: SmtpTarget): Promise<SessionAnswer | undefined> {
    if (username === undefined) return undefined;
    this.#enter("AUTH", this.#timeouts.loginMs);
    const credentials = { user: username, pass: password };
    return this.#failureOf(await this.#race((done) => this.#connection.login({ credentials }, done)));
  }

  #failureOf(outcome: Raced<unknown>): SessionAnswer | undefined {
    if (!("error" in outcome)) return undefined;
    const { isSecure } = this;
    this.close();
    const answer = answerOf(outcome.error, { step: this.#step, dotMayBeOut: false, to: "", refusals: [] });
    const tlsFault = tlsFaultOf(outcome.error);
    return { ...answer, ...problemOf(outcome.error), ...(tlsFault !== undefined && { tlsFault }), isSecure };
  }

  #streamOf({ raw, to, isClaimed }: SmtpMail, envelope: SmtpEnvelope): MailStream {
    const { blockMs, answerMs } = this.#timeouts;
    return new MailStream(raw, {
      // A server that took the copy alone would get the mail again with every try.
      onData: () => !(envelope.rejected ?? []).includes(to) && isClaimed(),
      onBlock: () => this.#enter("DATA", blockMs),
      onLastBlock: isClaimed,
      onDot: () => this.#enter("DOT", answerMs),
    });
  }

  /** Begins a step, which has to end within its time. */
  #enter(step: SmtpStep, withinMs: number): void {
    this.#step = step;
    this.#answerBytes = 0;
    clearTimeout(this.#timer);
    if (this.#isDead) return;
    this.#timer = setTimeout(() => this.#lose(new Error("The server did not answer in time.")), withinMs);
  }

  /** Counts what a server sends; one that sends too much is left. @returns whether it is read. */
  #takes(bytes: number): boolean {
    this.#answerBytes += bytes;
    if (this.#answerBytes <= ANSWER_BYTES_MAX) return !this.#isDead;
    this.#lose(new Error("The server's answer is too long."));
    return false;
  }

  #lose(error: SmtpError): void {
    const onLost = this.#onLost;
    this.#onLost = undefined;
    this.close();
    onLost?.(error);
  }

  /** Runs a call of the connection to its end, or to the end of the connection: nodemailer does not always report both. */
  async #race<Value>(run: (done: (error?: SmtpError | null, value?: Value) => void) => void): Promise<Raced<Value>> {
    const outcome = await new Promise<Raced<Value>>((resolve) => {
      this.#onLost = (error) => resolve({ error });
      run((error, value) => resolve(error ? { error } : { value }));
    });
    this.#onLost = undefined;
    clearTimeout(this.#timer);
    return outcome;
  }
}

/**
 * Lets a connection read only what is admitted. nodemailer bounds a single reply, not how many replies it queues that nobody asked for:
 * it takes each of them in a turn of the loop of its own, also after the end. It offers no hook before its parser.
 */
function boundAnswers(connection: SMTPConnection, admits: (bytes: number) => boolean): void {
  const read: unknown = Reflect.get(connection, "_onSocketData");
  if (typeof read !== "function") throw new Error("nodemailer reads its socket in another way");
  Reflect.set(connection, "_onSocketData", (chunk: Buffer) => {
    if (admits(chunk.length)) read(chunk);
  });
}

function privateOrAway(isRefused: boolean): SessionAnswer {
  return { step: "CONN", ...(isRefused && { problem: "private-address" }) };
}

function accepted(response: string): SessionAnswer {
  return { step: "DOT", code: Number(response.slice(0, 3)), text: response.slice(4) };
}

/** Recognises errors of nodemailer itself, before the server was asked. */
function problemOf({ code, command, responseCode, message }: SmtpError): Pick<SessionAnswer, "problem"> {
  if (responseCode !== undefined) return {};
  if (code === "EAUTH") return { problem: "credentials" };
  if (code === "EENVELOPE" && command === "API") {
    return { problem: message.startsWith("Invalid sender") ? "sender" : "recipient" };
  }
  if (code === "EMESSAGE" && command === "MAIL FROM") return { problem: "too-large" };
  return {};
}

/** Returns why a connection could not be encrypted; undefined for errors of other kinds. A certificate's fault comes as that of a socket. */
function tlsFaultOf(error: SmtpError): string | undefined {
  const { code = "", command = "" } = error;
  const original = String(Reflect.get(error, "originalCode") ?? "");
  if (code !== "ETLS" && command !== "STARTTLS" && !OF_TLS.test(original)) return undefined;
  return REASONS[original] ?? "The connection to the server cannot be encrypted.";
}

/**
 * A mail as the connection reads it, block by block. `readableEnded` is false as long as the final dot cannot be out: the
 * connection writes the dot when the stream ends.
 */
class MailStream extends Readable {
  readonly #mail: Buffer;
  readonly #events: MailStreamEvents;
  #at = 0;
  #hasBegun = false;

  constructor(mail: Buffer, events: MailStreamEvents) {
    super({ highWaterMark: BLOCK_BYTES });
    this.#mail = mail;
    this.#events = events;
    this.once("end", events.onDot);
  }

  /** True once the server took DATA: before, nothing of the mail went out. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  override _read(): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#goOnIf(this.#events.onData());
    }
    if (this.destroyed) return;
    this.#events.onBlock();
    if (this.#at < this.#mail.length) this.#pushBlock();
    else if (this.#goOnIf(this.#events.onLastBlock())) this.push(null);
  }

  #pushBlock(): void {
    const block = this.#mail.subarray(this.#at, this.#at + BLOCK_BYTES);
    this.#at += block.length;
    this.push(block);
  }

  #goOnIf(isWanted: boolean): boolean {
    if (!isWanted) this.destroy(new Error("The mail was given up before its final dot."));
    return isWanted;
  }
}

interface MailStreamEvents {
  /** The server takes data now. Return false to give the mail up before its final dot. */
  readonly onData: () => boolean;
  /** The last block is taken and the final dot comes next. Return false to give the mail up. */
  readonly onLastBlock: () => boolean;
  /** A block was taken. */
  readonly onBlock: () => void;
  /** The final dot goes out from now on. */
  readonly onDot: () => void;
}
