import { classifyAnswer } from "../../outcomes/classifyAnswer.ts";
import { refusalOf, type SoftBounceKind } from "../../outcomes/refusal.ts";
import { ALL_ENHANCED, type DeliveryStatus } from "./deliveryStatus.ts";
import { mailLimits } from "./mailLimits.ts";

/** Properties of the `bounce` that a report makes. */
export interface Bounce {
  readonly bounceType: "hard" | "soft";
  readonly kind?: SoftBounceKind;
  /** SMTP code of the server that refused the mail. */
  readonly code?: number;
  readonly text?: string;
}

const CODE = /(?<![\d.])[45]\d\d(?![\d.])/;
const GENERIC = /^\d\.0\.0$/;
const NO_CODE = 500;
const CHARACTERS_READ = 4_096;

/** Steps of the dialogue at which nobody was asked for yet, or the recipient was taken. */
const OTHER_STEP = /\b(?:after|reply to) (?:end of )?(?:data|message)\b/i;

/** Classifies a failed recipient of a report: by the rules of SMTP answers, and by words where there is no exact code. */
export function bounceOf({ status, text = "" }: DeliveryStatus): Bounce {
  const [code] = CODE.exec(text) ?? [];
  const answer = cleaned(text);
  return {
    ...resultOf({ enhanced: codesOf(status, text), code: code === undefined ? undefined : Number(code), text }),
    ...(code !== undefined && { code: Number(code) }),
    ...(answer !== "" && { text: answer }),
  };
}

/** Mail systems write 5.0.0 where they know no better: the server's own words do. */
function codesOf(status: string | undefined, text: string): string[] {
  const own = [...text.slice(0, CHARACTERS_READ).matchAll(ALL_ENHANCED)].map(([code]) => code);
  const exact = [...(status === undefined ? [] : [status]), ...own].filter((code) => !GENERIC.test(code));
  return exact.length === 0 && status?.startsWith("4") === true ? [status] : exact;
}

interface Answer {
  readonly enhanced: readonly string[];
  readonly code: number | undefined;
  readonly text: string;
}

function resultOf({ enhanced, code, text }: Answer): Pick<Bounce, "bounceType" | "kind"> {
  const refusal = refusalOf({ enhanced: enhanced.map((one) => `5${one.slice(1)}`), text });
  if (refusal.kind === "soft") return { bounceType: "soft", kind: refusal.bounce };
  // A recipient that was tried for days in vain may still exist.
  if (refusal.kind === "hard" && enhanced[0]?.startsWith("4") !== true) return { bounceType: "hard" };
  if (enhanced.length > 0 || code === undefined || code < NO_CODE) return { bounceType: "soft", kind: "other" };
  const outcome = classifyAnswer({ step: OTHER_STEP.test(text) ? "DOT" : "RCPT", code });
  if (outcome.kind === "hard-bounce") return { bounceType: "hard" };
  return { bounceType: "soft", kind: outcome.kind === "soft-bounce" ? outcome.bounce : "other" };
}

function cleaned(text: string): string {
  const words = text.slice(0, 4 * mailLimits.textCharacters).replaceAll(/[\p{Cc}\s]+/gu, " ");
  return words.trim().slice(0, mailLimits.textCharacters).toWellFormed();
}
