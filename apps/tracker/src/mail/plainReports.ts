import { addressIn, type DeliveryStatus, ENHANCED } from "./deliveryStatus.ts";
import { mailLimits } from "./mailLimits.ts";

/** A mail without a part that programs read. */
export interface PlainMail {
  readonly text: string;
  readonly subject: string;
  /** Value of `X-Failed-Recipients`. */
  readonly failed: string | undefined;
}

const ADDRESS_LINE = /^\s*<?([^\s<>:]+)>?:?\s*$/;
/** Sentences with which mail systems begin reports that hold no `message/delivery-status`. */
const OPENINGS = [
  /^Hi\. This is the qmail-send program/im,
  /^(This is the mail system|This message was created automatically by mail delivery software)/im,
  /(unable to deliver|could not be delivered|undeliverable|delivery (to the following recipients? )?(has )?failed)/i,
] as const;
/** Words about mails that are still tried. */
const DELAYED = /(will be retried|has not yet been delivered|still being retried|warning message only|delay(ed)?\b)/i;
const REPORT_SUBJECT = /^(undeliver|failure notice|mail delivery|delivery (status|failure)|returned mail|warning: )/i;

/** Reads the reports in plain words of qmail, Exim and others; undefined for a mail that is none. */
export function readPlainReport({ text, subject, failed }: PlainMail): DeliveryStatus[] | undefined {
  const words = beforeOriginal(text);
  const isReport = failed !== undefined || (REPORT_SUBJECT.test(subject) && OPENINGS.some((one) => one.test(words)));
  if (!isReport) return undefined;
  const action = DELAYED.test(subject) || DELAYED.test(words) ? "delayed" : "failed";
  const named = (failed ?? "").split(",").flatMap(addressIn);
  const blocks = blocksOf(words);
  const statuses = blocks.map(({ address, lines }) => statusOf(action, [address], lines));
  if (statuses.length > 0) return statuses;
  return (named.length > 0 ? named.map((one) => [one]) : [[]])
    .slice(0, mailLimits.reported)
    .map((addresses) => statusOf(action, addresses, words));
}

function statusOf(action: DeliveryStatus["action"], addresses: readonly string[], words: string): DeliveryStatus {
  const [status] = ENHANCED.exec(words) ?? [];
  return { action, status, text: words.replaceAll(/\s+/g, " ").trim(), addresses };
}

const RULE = /^--.*$/gm;
const ORIGINAL = /below this line|original message|copy of the message|message headers/i;

/** The mail that a report is about says nothing about what became of it. */
function beforeOriginal(text: string): string {
  for (const { 0: line, index } of text.matchAll(RULE)) if (ORIGINAL.test(line)) return text.slice(0, index);
  return text;
}

interface Block {
  readonly address: string;
  lines: string;
}

/** Parts the text at lines that hold an address alone: what follows is about it. */
function blocksOf(words: string): Block[] {
  const blocks: Block[] = [];
  for (const line of words.split(/\r?\n/)) {
    const [address] = ADDRESS_LINE.test(line.slice(0, 640)) ? addressIn(line) : [];
    const last = blocks.at(-1);
    if (address !== undefined && blocks.length < mailLimits.reported) blocks.push({ address, lines: "" });
    else if (last !== undefined) last.lines += `${line}\n`;
  }
  return blocks.filter(({ lines }) => lines.trim() !== "");
}
