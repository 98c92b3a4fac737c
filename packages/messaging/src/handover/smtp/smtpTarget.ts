/** Server that an SMTP transport hands its mails to. */
export interface SmtpTarget {
  readonly host: string;
  /** Default 587. 465 begins with TLS. */
  readonly port?: number;
  /** Default `required` with a `username`, else `opportunistic`. */
  readonly tls?: "required" | "opportunistic" | "none";
  readonly username?: string;
  readonly password?: string;
  /** Connections of this process at a time, default 5. */
  readonly connections?: number;
  readonly answerTimeoutSeconds?: number;
}

/** Longest waits for a server, in milliseconds: each step has to end within its own. */
export interface SmtpTimeouts {
  /** Greeting, EHLO and TLS. */
  readonly handshakeMs: number;
  readonly loginMs: number;
  /** MAIL, RCPT and DATA up to the server's go-ahead. */
  readonly envelopeMs: number;
  /** One block of the mail. */
  readonly blockMs: number;
  /** Answer after the final dot. */
  readonly answerMs: number;
  /** A connection without work is closed. */
  readonly idleMs: number;
}

const ANSWER_SECONDS = 600;

/** Waits as RFC 5321 4.5.3.2 has them, but for the first contact, which may be tried again cheaply. */
export function timeoutsOf({ answerTimeoutSeconds = ANSWER_SECONDS }: SmtpTarget): SmtpTimeouts {
  return {
    handshakeMs: 60_000,
    loginMs: 60_000,
    envelopeMs: 300_000,
    blockMs: 180_000,
    answerMs: 1_000 * answerTimeoutSeconds,
    idleMs: 10_000,
  };
}

const SUBMISSION_PORT = 587;
const IMPLICIT_TLS_PORT = 465;

/** Returns the options of a connection that say how it is secured. */
export function securityOf({ host, port = SUBMISSION_PORT, tls, username }: SmtpTarget, authority?: string) {
  const mode = tls ?? (username === undefined ? "opportunistic" : "required");
  const isImplicit = port === IMPLICIT_TLS_PORT && mode !== "none";
  return {
    host,
    port,
    secure: isImplicit,
    ignoreTLS: mode === "none",
    requireTLS: mode === "required" && !isImplicit,
    opportunisticTLS: mode === "opportunistic" && !isImplicit,
    // Opportunistic means better than nothing: a certificate that nobody vouches for is.
    tls: { rejectUnauthorized: mode === "required", ...(authority !== undefined && { ca: authority }) },
  };
}
