import { type SessionAnswer, SmtpSession } from "./smtpSession.ts";

export interface SmtpPoolOptions {
  readonly mailsPerConnection: number;
  readonly idleMs: number;
  readonly open: () => Promise<SmtpSession | SessionAnswer>;
}

export interface Taken {
  readonly session: SmtpSession;
  /** It carried a mail before: the server may have closed it meanwhile. */
  readonly isReused: boolean;
}

interface Idle {
  readonly session: SmtpSession;
  readonly timer: NodeJS.Timeout;
}

/** Open connections of one transport. Those without work stay open for a while. */
export class SmtpPool {
  readonly #options: SmtpPoolOptions;
  readonly #idle: Idle[] = [];
  readonly #carried = new WeakMap<SmtpSession, number>();

  constructor(options: SmtpPoolOptions) {
    this.#options = options;
  }

  /** Takes an open connection, else opens one. `fresh` takes no open one. */
  async take({ fresh }: { readonly fresh: boolean }): Promise<Taken | SessionAnswer> {
    while (!fresh) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      clearTimeout(idle.timer);
      if (idle.session.isAlive) return { session: idle.session, isReused: true };
    }
    const opened = await this.#options.open();
    return opened instanceof SmtpSession ? { session: opened, isReused: false } : opened;
  }

  /** Gives a connection back after a mail. */
  giveBack(session: SmtpSession): void {
    const carried = (this.#carried.get(session) ?? 0) + 1;
    this.#carried.set(session, carried);
    if (!session.isAlive) return;
    if (carried >= this.#options.mailsPerConnection) session.quit();
    else this.#idle.push({ session, timer: setTimeout(() => this.#dismiss(session), this.#options.idleMs) });
  }

  /** Closes the connections without work. */
  close(): void {
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
  }

  #dismiss(session: SmtpSession): void {
    const index = this.#idle.findIndex((idle) => idle.session === session);
    if (index >= 0) this.#idle.splice(index, 1);
    session.quit();
  }
}
