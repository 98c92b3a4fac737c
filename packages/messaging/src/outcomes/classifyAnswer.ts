import { refusalOf, type SoftBounceKind } from "./refusal.ts";

/** Steps of an SMTP dialogue. */
export type SmtpStep = "CONN" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "DOT";

/** Answer of a server, or the end of the connection, at one step. */
export interface SmtpAnswer {
  readonly step: SmtpStep;
  /** SMTP code; undefined where no answer came: no connection, TLS failed, lost, hung. */
  readonly code?: number;
  readonly text?: string;
  /** The final dot may have reached the server. Counts where no answer came. */
  readonly dotMayBeOut?: boolean;
}

/** Meaning of an answer for one send. */
export type SendOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "unknown" }
  /** Tried again later; `slowsDown` halves the rate of the transport and domain. */
  | { readonly kind: "deferred"; readonly slowsDown: boolean }
  | { readonly kind: "hard-bounce" }
  | { readonly kind: "soft-bounce"; readonly bounce: SoftBounceKind }
  /** Something of ours is wrong: nobody bounces. `isDefinite` where the server said so of us and not of the mail. */
  | { readonly kind: "transport-failure"; readonly isDefinite?: true };

/** An enhanced status code (RFC 3463), and no part of an address such as 10.4.9.1. */
const ENHANCED = /(?<!\w|\d\.)[245]\.\d{1,3}\.\d{1,3}\b(?!\.\d)/g;
const CHARACTERS_READ = 4_096;
/** Codes that say at RCPT, without an enhanced code, that there is no such mailbox. */
const NO_MAILBOX = new Set([550, 551, 553]);
/** Codes that ask for fewer connections. */
const SLOW_DOWN = new Set([421, 454]);
const OURS = new Set<SmtpStep>(["CONN", "EHLO", "STARTTLS", "AUTH", "MAIL"]);
/** Steps at which a refusal for good is about who we are. */
const DEFINITE = new Set<SmtpStep>(["EHLO", "AUTH", "MAIL"]);

/** Returns what an answer means for the send. */
export function classifyAnswer({ step, code, text = "", dotMayBeOut = false }: SmtpAnswer): SendOutcome {
  if (code === undefined) return dotMayBeOut ? { kind: "unknown" } : { kind: "deferred", slowsDown: false };
  if (code >= 200 && code < 400) return step === "DOT" ? { kind: "sent" } : { kind: "deferred", slowsDown: false };
  if (code === 530 || code === 535) return { kind: "transport-failure", isDefinite: true };
  if (code < 500) return { kind: "deferred", slowsDown: SLOW_DOWN.has(code) };
  if (DEFINITE.has(step)) return { kind: "transport-failure", isDefinite: true };
  if (OURS.has(step)) return { kind: "transport-failure" };
  return refused(step, code, text);
}

/** A refusal whose words say nothing is about the recipient where it answers RCPT. */
function refused(step: SmtpStep, code: number, text: string): SendOutcome {
  const enhanced = [...text.slice(0, CHARACTERS_READ).matchAll(ENHANCED)].map(([code]) => code);
  const refusal = refusalOf({ enhanced, text });
  switch (refusal.kind) {
    case "hard":
      return { kind: "hard-bounce" };
    case "soft":
      return { kind: "soft-bounce", bounce: refusal.bounce };
    case "unsaid":
      if (enhanced.length === 0 && step === "RCPT" && NO_MAILBOX.has(code)) return { kind: "hard-bounce" };
      return { kind: "soft-bounce", bounce: enhanced.length === 0 && code === 552 ? "full" : "other" };
  }
}
