import { DemoFailure } from "../demoFailure.ts";
import { inParallel } from "../loading/inParallel.ts";
import { linksOf, type MailLinks, readMail } from "./mails.ts";

/** Readers of the mail: so many open it, so many of these click, and so many of those who open it unsubscribe. */
export const READERS = { opening: 40, clicking: 15, unsubscribing: 2 } as const;

const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
/** A person's browser: tracking leaves robots out of the numbers. */
const HEADERS = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

export interface Reading {
  readonly mailUrl: string;
  readonly emails: readonly string[];
  readonly subject: string;
}

/** Counts of what readers did. */
export interface Read {
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
}

/** Opens, clicks and unsubscribes as people would, by the links in their mails. Mails that are gone are left out. */
export async function readMails({ mailUrl, emails, subject }: Reading): Promise<Read> {
  const read = { opened: 0, clicked: 0, unsubscribed: 0 };
  const readers = emails.slice(0, READERS.opening).map((email, index) => ({ email, place: index }));
  await inParallel(readers, AT_ONCE, async ({ email, place: position }) => {
    const mail = await readMail(mailUrl, email, subject);
    if (mail === undefined) return;
    const { pixel, links, unsubscribe } = linksOf(mail);
    await visit(pixel, 200);
    read.opened += 1;
    if (position < READERS.clicking) {
      await visit(links[0], 302);
      read.clicked += 1;
    }
    if (position >= READERS.opening - READERS.unsubscribing) {
      await leave(unsubscribe);
      read.unsubscribed += 1;
    }
  });
  return read;
}

async function visit(url: string | undefined, status: number): Promise<void> {
  await expectStatus(url, status, { headers: HEADERS, redirect: "manual" });
}

/** Sends the form of the page, as its button does. */
async function leave(url: MailLinks["unsubscribe"]): Promise<void> {
  const body = new URLSearchParams({ action: "unsubscribe", reason: "too many mails" });
  await expectStatus(url, 200, { method: "POST", headers: HEADERS, body });
}

async function expectStatus(url: string | undefined, status: number, init: RequestInit): Promise<void> {
  if (url === undefined) throw new DemoFailure("A mail lacks a link.");
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.arrayBuffer();
  if (response.status !== status) {
    throw new DemoFailure(`A link of the mail answers ${response.status} in place of ${status}.`);
  }
}
