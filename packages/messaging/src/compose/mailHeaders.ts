import type { MailToCompose } from "./mailToCompose.ts";

/** Facts of a mail that its own headers follow from. */
type MailFacts = Pick<MailToCompose, "classification" | "unsubscribe" | "listId" | "feedbackId"> & {
  readonly headers: Pick<MailToCompose["headers"], "fromEmail" | "replyEmail">;
};

/** Returns the headers that a mail has next to those of its message: promotional mail can be unsubscribed from by one click, transactional mail says that no person wrote it. */
export function mailHeaders(mail: MailFacts): Record<string, string> {
  const { classification, unsubscribe, listId, feedbackId } = mail;
  if (classification === "transactional") return { "Auto-Submitted": "auto-generated" };
  return {
    ...(unsubscribe !== undefined && {
      "List-Unsubscribe": oneLine(`<${unsubscribe.url}>, <mailto:${unsubscribe.mailto ?? repliesOf(mail)}>`),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
    ...(listId !== undefined && { "List-Id": oneLine(`<${listId}>`) }),
    ...(feedbackId !== undefined && { "Feedback-ID": oneLine(feedbackId) }),
  };
}

/** Programs that know no One-Click write a mail: where no program takes it in, a person reads it. */
function repliesOf({ headers: { replyEmail = "", fromEmail } }: MailFacts): string {
  const address = oneLine(replyEmail.includes("@") ? replyEmail : fromEmail).toWellFormed();
  return `${encodeURIComponent(address).replaceAll("%40", "@")}?subject=unsubscribe`;
}

/** Returns a text without line ends and other control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
