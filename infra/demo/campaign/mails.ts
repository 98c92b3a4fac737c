import { z } from "zod";
import { DemoFailure } from "../demoFailure.ts";

const TIMEOUT_MS = 10_000;
/** Answers of GreenMail for an address that got nothing since it was started. */
const NO_MAILBOX = new Set([400, 404]);
const mailbox = z.array(z.looseObject({ subject: z.string(), mimeMessage: z.string() }));

/** Tracked links of a mail. */
export interface MailLinks {
  readonly pixel: string | undefined;
  /** Links that a person sees. */
  readonly links: readonly string[];
  readonly unsubscribe: string | undefined;
}

/** Address at which the mails of a mailbox are listed. */
export function mailboxUrl(mailUrl: string, address: string): string {
  return `${mailUrl}/api/user/${encodeURIComponent(address)}/messages`;
}

/** Returns the newest mail of this subject as it came over the wire; undefined when the mailbox has none. */
export async function readMail(mailUrl: string, address: string, subject: string): Promise<string | undefined> {
  const response = await fetch(mailboxUrl(mailUrl, address), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (NO_MAILBOX.has(response.status)) return undefined;
  if (!response.ok) throw new DemoFailure(`The mail server answers ${response.status} for a mailbox.`);
  return mailbox.parse(await response.json()).findLast((mail) => mail.subject === subject)?.mimeMessage;
}

const PIXEL = /<img\b[^>]*?\bsrc="([^"]*\/t\/o\/[^"]+)"/;
const ANCHOR = /<a\b[^>]*?\bhref="([^"]+)"[^>]*>/g;

/** Finds what a reader of a mail would follow; the link that no person sees is left out. */
export function linksOf(raw: string): MailLinks {
  const text = raw
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const anchors = [...text.matchAll(ANCHOR)].filter(([tag]) => !tag.includes("display:none"));
  const targets = anchors.map(([, href = ""]) => href);
  return {
    pixel: PIXEL.exec(text)?.[1],
    links: targets.filter((href) => href.includes("/t/c/")),
    unsubscribe: targets.find((href) => href.includes("/t/u/")),
  };
}
