import type { Line } from "../dataset/lines.ts";
import type { HttpApi } from "../httpApi.ts";
import { mailboxUrl } from "./mails.ts";
import { numbersOf } from "./numbers.ts";
import { readLetters } from "./readers.ts";
import { runCampaign, SUBJECT } from "./runCampaign.ts";

export interface CampaignPlaces {
  readonly mailUrl: string;
  readonly mailSmtpUrl: string;
}

/** Sends the letter, lets people read it, and returns the lines that show how it went and where to see a mail. */
export async function sendCampaign(api: HttpApi, lines: readonly Line[], places: CampaignPlaces): Promise<string[]> {
  const { mailUrl, mailSmtpUrl } = places;
  const { letter, recipients, isNew } = await runCampaign(api, lines, mailSmtpUrl);
  const title = `"${SUBJECT}", a letter with their last order to ${recipients.emails.length} customers`;
  if (letter.status !== "sent") return [`${title}: it is ${letter.status}.`];
  const read = await readLetters({ mailUrl, emails: recipients.emails, subject: SUBJECT });
  const numbers = await numbersOf(api, letter, read);
  const [first = ""] = recipients.emails;
  return [
    `${title}${isNew ? "" : " (an earlier start sent it)"}`,
    `   GET /v2/batchmessages/${letter.id}, GET /v2/programs/{id}/summary`,
    `   = sent ${numbers.sent}, delivered ${numbers.delivered}, opened ${numbers.opens_unique}, ` +
      `clicked ${numbers.clicks_unique}, unsubscribed ${numbers.opt_outs}`,
    `   each contact: npx headwater messages sends ${letter.id}`,
    ...(isNew ? [`   a mail: ${mailboxUrl(mailUrl, first)}`] : []),
  ];
}
