import type { Socket } from "node:net";
import { getCACertificates } from "node:tls";
import {
  createOperatorsOutbound,
  createWorkLoop,
  HeadwaterError,
  isInfrastructure,
  type Logger,
  type WorkLoop,
} from "@headwater/kernel";
import {
  createSandbox,
  type Host,
  hostOfSocket,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
} from "@headwater/sandbox";
import type { FetchedMail, MailboxAddress, MailboxTasks } from "./mailboxProcess.ts";
import { MailHead } from "./mailHead.ts";
import type { TakenMail } from "./mailIntake.ts";
import { mailLimits } from "./mailLimits.ts";
import type { ArrivedMail } from "./takeMail.ts";

export interface MailboxOptions extends Pick<SandboxOptions, "onEnded"> {
  readonly mailbox: MailboxAddress;
  /** Takes a mail in; resolves once it is on the log. */
  readonly take: (mail: ArrivedMail) => Promise<TakenMail>;
  readonly logger: Logger;
}

/**
 * A mailbox that is read over IMAP. TLS and the protocol run in a process of its own; this one holds the socket, passes on bytes that it does
 * not read, and gets the beginning of each mail.
 */
export interface Mailbox {
  /**
   * Takes the mails in that nobody has seen, and marks each as seen once it is on the log. A mail that was on its way when a process ended
   * is taken again, under the same `UID`s, unless it ended the process that read the mailbox: then it is flagged.
   * @returns true when there may be more. @throws HeadwaterError `SERVICE_UNAVAILABLE`.
   */
  poll(): Promise<boolean>;
  /** Ends the poll that is under way, and the process. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const MEMORY_BYTES_MAX = 128 * MIB;
/** The beginning of a mail, or a command to the server. */
const OUTPUT_BYTES_MAX = MIB;
/** Processor time between two answers of the server. */
const DEADLINE_MS = 2_000;
const POLL_MS_MAX = 300_000;
/** Time in which the process notices that its connection is gone. */
const GRACE_MS = 30_000;
/** Bytes that a server may send in one poll: the search, and every mail with the answers around it. */
const POLL_BYTES_MAX = 2 * mailLimits.mailboxLineBytes + mailLimits.mailsOfPoll * mailLimits.headBytes;
const RETRY_MS_MIN = 1_000;

export interface MailboxLoopOptions extends MailboxOptions {
  /** Time between two polls; after failures up to twice as much. */
  readonly pollEveryMs: number;
}

/** Polls a mailbox until it is stopped. */
export function createMailboxLoop({ pollEveryMs, ...options }: MailboxLoopOptions): WorkLoop {
  const mailbox = createMailbox(options);
  const loop = createWorkLoop({
    work: () => mailbox.poll(),
    idleMs: pollEveryMs,
    minMs: RETRY_MS_MIN,
    maxMs: 2 * pollEveryMs,
    onRetry: ({ error }) => options.logger.warn({ err: error }, "mailbox unavailable, retrying"),
  });
  return {
    start: loop.start,
    async stop() {
      await Promise.all([loop.stop(), mailbox.close()]);
    },
  };
}

/** Creates a reader of a mailbox. Its process starts with the first poll. */
export function createMailbox({ onEnded, ...options }: MailboxOptions): Mailbox {
  const sandbox = createSandbox<MailboxTasks>({
    name: "mailbox",
    what: "polls of the mailbox",
    entry: new URL("./mailboxProcess.ts", import.meta.url),
    memoryBytesMax: MEMORY_BYTES_MAX,
    outputBytesMax: OUTPUT_BYTES_MAX,
    ...(onEnded && { onEnded }),
  });
  return new SandboxedMailbox(sandbox, options);
}

class SandboxedMailbox implements Mailbox {
  readonly #sandbox: Sandbox<MailboxTasks>;
  readonly #options: Omit<MailboxOptions, "onEnded">;
  readonly #outbound = createOperatorsOutbound();
  readonly #ca = getCACertificates();
  readonly #closing = new AbortController();
  /** Mails that ended a process and are flagged when they are seen again; the oldest first. */
  readonly #quarantined = new Set<string>();
  #polling: Promise<unknown> = Promise.resolve();

  constructor(sandbox: Sandbox<MailboxTasks>, options: Omit<MailboxOptions, "onEnded">) {
    this.#sandbox = sandbox;
    this.#options = options;
  }

  poll(): Promise<boolean> {
    const polling = this.#poll();
    this.#polling = Promise.allSettled([polling]);
    return polling;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#polling;
    await Promise.all([this.#sandbox.close(), this.#outbound.close()]);
  }

  async #poll(): Promise<boolean> {
    const { host, port } = this.#options.mailbox;
    const closing = this.#closing.signal;
    const socket = await this.#outbound.connect({ host, port }, closing).catch((error: unknown) => {
      throw away(error);
    });
    // What breaks it is said by the calls that use it.
    socket.on("error", () => undefined);
    const over = new AbortController();
    const end = () => {
      over.abort();
      socket.destroy();
    };
    closing.addEventListener("abort", end, { once: true });
    const timer = setTimeout(end, POLL_MS_MAX);
    try {
      return await this.#pollOver(socket, over.signal);
    } finally {
      clearTimeout(timer);
      closing.removeEventListener("abort", end);
      end();
    }
  }

  /** @param over aborted when this process has ended the connection. */
  async #pollOver(socket: Socket, over: AbortSignal): Promise<boolean> {
    const { mailbox } = this.#options;
    const taking = new PollHost(this.#options);
    const limits = {
      deadlineMs: DEADLINE_MS,
      totalMs: POLL_MS_MAX + GRACE_MS,
      host: { ...hostOfSocket(socket, { receivedBytesMax: POLL_BYTES_MAX }), ...taking.host },
      signal: over,
    };
    const poll = { mailbox, ca: this.#ca, quarantined: this.#quarantined };
    const outcome = await this.#sandbox.run(mailbox.host, "poll", poll, limits);
    if (outcome.kind === "done") return outcome.output;
    if (outcome.kind === "ended" && !over.aborted) this.#quarantine(taking.reading);
    throw taking.failure ?? away(new Error(reasonOf(outcome)));
  }

  /** Remembers a mail that the server ended a process with, so that it is not asked for again. */
  #quarantine(mail: string | undefined): void {
    if (mail === undefined) return;
    this.#options.logger.warn({ mail }, "a mail ended the process that fetched it; flagging it in its mailbox");
    this.#quarantined.add(mail);
    const [oldest] = this.#quarantined;
    if (this.#quarantined.size > mailLimits.mailsOfPoll && oldest !== undefined) this.#quarantined.delete(oldest);
  }
}

/** Takes the mails of one poll from the process that fetched them. */
class PollHost {
  readonly host: Host = {
    reading: (name: unknown) => this.#read(name),
    take: (mail: FetchedMail) => this.#take(mail),
  };
  readonly #options: Pick<MailboxOptions, "take" | "logger">;
  #mails = 0;
  #reading: string | undefined;
  #failure: unknown;

  constructor(options: Pick<MailboxOptions, "take" | "logger">) {
    this.#options = options;
  }

  /** Mail that the process was reading last; undefined once it has given it to this one. */
  get reading(): string | undefined {
    return this.#reading;
  }

  /** Reason why a mail could not be taken now. */
  get failure(): unknown {
    return this.#failure;
  }

  async #read(name: unknown): Promise<null> {
    this.#mails += 1;
    if (this.#mails > mailLimits.mailsOfPoll) throw new RangeError("the poll has too many mails");
    this.#reading = typeof name === "string" ? name : undefined;
    return null;
  }

  async #take({ source, hasSender }: FetchedMail): Promise<TakenMail> {
    this.#reading = undefined;
    if (!(source instanceof Uint8Array)) throw new TypeError("a process passes on bytes");
    const head = new MailHead();
    head.add(Buffer.from(source));
    try {
      return await this.#takeHead({ head: head.bytes(), hasSender });
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** A mail that a defect of ours breaks on does not block the others. */
  async #takeHead(mail: ArrivedMail): Promise<TakenMail> {
    const { take, logger } = this.#options;
    try {
      const taken = await take(mail);
      if (taken === "set-aside") logger.warn("a mail ended the process that read it; flagging it in its mailbox");
      return taken;
    } catch (error) {
      if (isInfrastructure(error)) throw error;
      logger.error({ err: error }, "processing a mail failed; flagging it in its mailbox");
      return "set-aside";
    }
  }
}

function reasonOf(outcome: Exclude<SandboxOutcome<boolean>, { readonly kind: "done" }>): string {
  return outcome.kind === "ended" ? `the process that read the mailbox ended: ${outcome.reason}` : outcome.message;
}

function away(cause: unknown): HeadwaterError {
  const publicMessage = "The mailbox is unavailable.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}
