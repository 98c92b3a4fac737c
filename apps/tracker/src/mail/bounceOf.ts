import { classifyAnswer, type SoftBounceKind } from "@headwater/messaging";
import { type DeliveryStatus, ENHANCED } from "./deliveryStatus.ts";
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
/** Words of servers whose answers have no exact code. */
const GONE =
  /(user|recipient|mailbox|address|account)s? (is |was )?(unknown|not found|does not exist|doesn't exist|unavailable|disabled)|no such (user|mailbox|recipient|address|account)|unknown (user|recipient|mailbox)|no mailbox here/i;
const OVER_QUOTA = /over ?quota/i;
const STORE = /mailbox|quota|storage/gi;
/** Words behind a mailbox that is full, within so many characters. */
const FULL = /^.*?(full|exceed)/i;
const FULL_CHARACTERS = 46;
const POLICY = /spam|block(ed|list)|black ?list|reputation|policy|dmarc|junk|virus/i;

/** Classifies a failed recipient of a report: by the rules of SMTP answers, and by words where there is no exact code. */
export function bounceOf({ status, text = "" }: DeliveryStatus): Bounce {
  const [code] = CODE.exec(text) ?? [];
  const answer = cleaned(text);
  return {
    ...verdictOf({ enhanced: enhancedOf(status, text), code: code === undefined ? undefined : Number(code), text }),
    ...(code !== undefined && { code: Number(code) }),
    ...(answer !== "" && { text: answer }),
  };
}

/** Mail systems write 5.0.0 where they know no better: the server's own words do. */
function enhancedOf(status: string | undefined, text: string): string | undefined {
  if (status !== undefined && !GENERIC.test(status)) return status;
  const [own] = ENHANCED.exec(text) ?? [];
  if (own !== undefined && !GENERIC.test(own)) return own;
  return status?.startsWith("4") ? status : undefined;
}

interface Answer {
  readonly enhanced: string | undefined;
  readonly code: number | undefined;
  readonly text: string;
}

function verdictOf({ enhanced, code, text }: Answer): Pick<Bounce, "bounceType" | "kind"> {
  if (enhanced === undefined) return byWords(code, text);
  const permanent = `5${enhanced.slice(1)}`;
  const outcome = classifyAnswer({ step: "RCPT", code: NO_CODE, text: permanent });
  if (outcome.kind === "hard-bounce" && permanent === enhanced) return { bounceType: "hard" };
  return { bounceType: "soft", kind: outcome.kind === "soft-bounce" ? outcome.bounce : "other" };
}

function byWords(code: number | undefined, text: string): Pick<Bounce, "bounceType" | "kind"> {
  if (saysFull(text)) return { bounceType: "soft", kind: "full" };
  if (POLICY.test(text)) return { bounceType: "soft", kind: "policy" };
  if (GONE.test(text)) return { bounceType: "hard" };
  const outcome = code === undefined || code < NO_CODE ? undefined : classifyAnswer({ step: "RCPT", code });
  if (outcome?.kind === "hard-bounce") return { bounceType: "hard" };
  return { bounceType: "soft", kind: outcome?.kind === "soft-bounce" ? outcome.bounce : "other" };
}

function saysFull(text: string): boolean {
  if (OVER_QUOTA.test(text)) return true;
  return [...text.matchAll(STORE)].some(({ 0: word, index }) => {
    const from = index + word.length;
    return FULL.test(text.slice(from, from + FULL_CHARACTERS));
  });
}

function cleaned(text: string): string {
  const words = text.slice(0, 4 * mailLimits.textCharacters).replaceAll(/[\p{Cc}\s]+/gu, " ");
  return words.trim().slice(0, mailLimits.textCharacters).toWellFormed();
}
