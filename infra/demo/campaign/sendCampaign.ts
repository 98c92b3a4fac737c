import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Line } from "../dataset/lines.ts";
import type { HttpApi } from "../httpApi.ts";
import { mailboxUrl } from "./mails.ts";
import { type Read, readMails } from "./readers.ts";
import { type Mail, runCampaign, SUBJECT } from "./runCampaign.ts";

const PROGRAM = "Demo mails";

const POLL_MS = 250;

/** Time that events may take from the tracker to the numbers. */
const NUMBERS_MAX_MS = 30_000;

const DAY_MS = 86_400_000;

const programs = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });

const summary = z.object({
  stats: z.object({
    sent: z.number(),
    delivered: z.number(),
    opens_unique: z.number(),
    clicks_unique: z.number(),
    opt_outs: z.number(),
  }),
});

export interface CampaignIds {
  readonly mailUrl: string;
  readonly mailSmtpUrl: string;
}

/** Sends the mail, lets people read it, and returns the lines that show how it went and where to see a mail. */
export async function sendCampaign(api: HttpApi, lines: readonly Line[], positions: CampaignIds): Promise<string[]> {
  const { mailUrl, mailSmtpUrl } = positions;
  const { mail, recipients, isNew } = await runCampaign(api, lines, mailSmtpUrl);
  const title = `"${SUBJECT}", a mail with their last order to ${recipients.emails.length} customers`;
  if (mail.status !== "sent") return [`${title}: it is ${mail.status}.`];
  const read = await readMails({ mailUrl, emails: recipients.emails, subject: SUBJECT });
  const numbers = await numbersOf(api, mail, read);
  const [first = ""] = recipients.emails;
  return [
    `${title}${isNew ? "" : " (an earlier start sent it)"}`,
    `   GET /v2/batchmessages/${mail.id}, GET /v2/programs/{id}/summary`,
    `   = sent ${numbers.sent}, delivered ${numbers.delivered}, opened ${numbers.opens_unique}, ` +
      `clicked ${numbers.clicks_unique}, unsubscribed ${numbers.opt_outs}`,
    `   each contact: npx headwater messages sends ${mail.id}`,
    ...(isNew ? [`   a mail: ${mailboxUrl(mailUrl, first)}`] : []),
  ];
}

type Numbers = z.output<typeof summary>["stats"];

/** Returns the numbers of the mail once they hold what its readers did, or as they are after half a minute. */
async function numbersOf(api: HttpApi, mail: Mail, read: Read): Promise<Numbers> {
  const path = `/v2/programs/${await programOf(api, mail)}/summary?${daysAround(mail)}`;
  const endMs = performance.now() + NUMBERS_MAX_MS;
  for (;;) {
    const { stats } = summary.parse(await api.get(path));
    const isWhole =
      stats.sent >= (mail.delivery?.sent ?? 0) &&
      stats.opens_unique >= read.opened &&
      stats.clicks_unique >= read.clicked &&
      stats.opt_outs >= read.unsubscribed;
    if (isWhole || performance.now() > endMs) return stats;
    await sleep(POLL_MS);
  }
}

async function programOf(api: HttpApi, { id }: Mail): Promise<string> {
  const { data } = programs.parse(await api.get("/v2/programs?per_page=100"));
  const known = data.find(({ name }) => name === PROGRAM);
  if (known !== undefined) return known.id;
  const created = await api.write("POST", "/v2/programs", { name: PROGRAM, messages: { ids: [id] } });
  return z.object({ id: z.string() }).parse(created).id;
}

/** The day of the send and both next to it, whatever the account's time zone is. */
function daysAround({ sendTime = new Date().toISOString() }: Mail): string {
  const [from, to] = [-1, 1].map((days) => new Date(Date.parse(sendTime) + days * DAY_MS).toISOString().slice(0, 10));
  return `start_date=${from}&end_date=${to}`;
}
