/** Positions of an SMTP dialogue at which a test server misbehaves. `CONN` is the greeting, `DOT` the answer to the mail. */
export const smtpCommands = ["CONN", "EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "DOT", "RSET"] as const;
export type SmtpCommand = (typeof smtpCommands)[number];

/** Behaviour of a test server at one command. */
export type SmtpAction =
  | { readonly kind: "answer"; readonly code: number; readonly text?: string }
  /** `accepted`: at the dot, the mail was taken before. */
  | { readonly kind: "reset" | "hang"; readonly accepted?: boolean }
  /** Answers, from here on, one byte at a time. */
  | { readonly kind: "drip"; readonly msPerByte: number };

export interface SmtpRule {
  readonly command: SmtpCommand;
  readonly action: SmtpAction;
  /** A part of the recipient's address, at RCPT alone. */
  readonly to?: string;
  /** Times that the rule holds; absent: always. */
  readonly times?: number;
}

/** Messages between a test and its server. */
export type ToServer = { readonly kind: "rules"; readonly rules: readonly SmtpRule[] } | { readonly kind: "counts" };
export type FromServer =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "ruled" }
  | { readonly kind: "counts"; readonly connections: number; readonly mails: number };

export interface SmtpServerOptions {
  /** A file that gets a line for each mail that was taken, before the answer: its Message-ID, its recipients, its first tracked link and the time. */
  readonly file: string;
  /** TLS by STARTTLS, with a certificate of the test's own. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** TLS from the first byte. */
  readonly secure?: boolean;
  /** Sign-in is demanded, with this password. */
  readonly password?: string;
  readonly sizeMax?: number;
  /** Commands that the server does not know, such as `PIPELINING`. */
  readonly without?: readonly string[];
}
