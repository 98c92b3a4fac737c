import type { SmtpAnswer, SmtpStep } from "../../outcomes/classifyAnswer.ts";

/** Members of nodemailer's errors that say what happened. */
export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly recipient?: string | undefined;
}

export interface SmtpInstant {
  /** Step that the dialogue was at. */
  readonly step: SmtpStep;
  /** The final dot may have reached the server. */
  readonly dotMayBeOut: boolean;
  readonly to: string;
  /** Refusals of single recipients. */
  readonly refusals: readonly SmtpError[];
}

const REFUSAL_MIN = 400;
const REFUSAL_MAX = 599;

/**
 * Classifies what an error of the connection says about a mail to one recipient. Errors without an answer, and answers that are no
 * refusals (the server lost its place), say nothing but where the dialogue ended.
 */
export function answerOf(error: SmtpError, { step, dotMayBeOut, to, refusals }: SmtpInstant): SmtpAnswer {
  // A server that refused MAIL refuses what was sent along with it, too.
  const own = error.command === "MAIL FROM" ? error : (refusals.find(({ recipient }) => recipient === to) ?? error);
  const { responseCode: code, response = "" } = own;
  const lost = { step, dotMayBeOut };
  if (code === undefined || code < REFUSAL_MIN || code > REFUSAL_MAX) return lost;
  return { step: stepOf(own, step), code, text: response.replace(/^\d{3}[ -]/, "") };
}

function stepOf({ command = "", code }: SmtpError, step: SmtpStep): SmtpStep {
  const [verb = ""] = command.split(" ");
  switch (verb) {
    case "EHLO":
    case "HELO":
      return "EHLO";
    case "STARTTLS":
    case "AUTH":
    case "MAIL":
    case "RCPT":
      return verb;
    case "DATA":
      return code === "EMESSAGE" ? "DOT" : "DATA";
    default:
      return step;
  }
}
