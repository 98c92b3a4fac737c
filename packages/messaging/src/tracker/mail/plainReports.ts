import { addressIn, type DeliveryStatus, ENHANCED, parseDeliveryStatus } from "./deliveryStatus.ts";
import { mailLimits } from "./mailLimits.ts";

/** A mail without a part that programs read. */
export interface PlainMail {
  readonly text: string;
  readonly subject: string;
  /** Value of `X-Failed-Recipients`. */
  readonly failed: string | undefined;
  /** Its headers call it an automatic reply. */
  readonly isAutoReply: boolean;
}

const ADDRESS_LINE = /^\s*<?([^\s<>:]+)>?:?\s*$/;
/** Sentences of reports that hold no `message/delivery-status`. */
const SENTENCE =
  /(?:This is the (?:qmail-send|mail delivery|mail system|MAILER-DAEMON)|created automatically by mail delivery software|unable to deliver|(?:could|was|can) ?not (?:be )?deliver|undeliverable|did not reach the following|delivery (?:to the following recipients? )?(?:has |have )?failed|had (?:permanent )?(?:fatal |delivery )?errors|error (?:delivering|has occurred while attempting to deliver|occurred while trying to deliver))/i;
/** Words about mails that are still tried. */
const DELAYED =
  /(will be retried|will continue to be retried|has not yet been delivered|still being retried|warning message only|delivery (?:is |has been |was )?delayed|delayed delivery|message (?:is |has been |was )delayed)/i;
/** Subjects of such reports. They may quote the subject of the mail behind these words. */
const DELAYED_SUBJECT =
  /^(?:warning: |delayed mail|delivery (?:status notification \(delay\)|delayed)|mail delivery delayed)/i;
const REPORT_SUBJECT =
  /^(?:undeliver|non-?deliver|unzustellbar|failure notice|mail (?:delivery|failed|system error)|delivery (?:status|failure|failed|notification|has failed|report)|returned mail|message (?:delivery|undeliver)|there was an error sending your mail|delayed mail|warning: )/i;

/** Reads the reports in plain words of qmail, Exim and others; undefined for a mail that is none. */
export function readPlainReport({ text, subject, failed, isAutoReply }: PlainMail): DeliveryStatus[] | undefined {
  const words = beforeOriginal(text);
  const signs = [REPORT_SUBJECT.test(subject), SENTENCE.test(words)].filter(Boolean).length;
  // Exim's reports say `auto-replied`, as answers of a person's machine do: those have not both.
  if (failed === undefined && signs < (isAutoReply ? 2 : 1)) return undefined;
  if (FIELDS.test(words)) return parseDeliveryStatus(words);
  const action = saysDelayed(subject, words) ? "delayed" : "failed";
  const named = (failed ?? "").split(",").flatMap(addressIn);
  const blocks = blocksOf(words);
  const statuses = blocks.map(({ address, lines }) => statusOf(action, [address], lines));
  if (statuses.length > 0) return statuses;
  return (named.length > 0 ? named.map((one) => [one]) : [[]])
    .slice(0, mailLimits.reported)
    .map((addresses) => statusOf(action, addresses, words));
}

function saysDelayed(subject: string, words: string): boolean {
  return DELAYED_SUBJECT.test(subject) || DELAYED.test(words);
}

/** Returns what a mail without a sender says in words that no pattern knows: at least that something went wrong. */
export function unknownReport({ text, subject }: Pick<PlainMail, "text" | "subject">): DeliveryStatus {
  const words = beforeOriginal(text);
  return { action: saysDelayed(subject, words) ? "delayed" : "failed", text: words, addresses: [] };
}

function statusOf(action: DeliveryStatus["action"], addresses: readonly string[], words: string): DeliveryStatus {
  const [status] = ENHANCED.exec(words) ?? [];
  return { action, status, text: words.replaceAll(/\s+/g, " ").trim(), addresses };
}

/** Fields of RFC 3464 that are no part of their own. */
const FIELDS = /^(?:final|original)-recipient[ \t]{0,8}:/im;
/** Beginnings of a line behind which the mail stands that a report is about. */
const ORIGINAL =
  /^(?:(?:the )?(?:original|returned) message(?! was received)|message (?:header|text|detail|content)|(?:below|this) is a copy|below this line|copy of (?:the|your) message|return-path:|received: ?(?:from|by))/i;
/** Headers of the mail, which some reports repeat in their words. */
const HEADER = /^(?:subject|to|from|sent|date|cc|betreff|an|von|gesendet) {0,4}:/i;
/** Characters before the words of such a line: blanks, dashes, quotes of a mail. */
const BEFORE_WORDS = /^[^A-Za-z0-9]+/;

/** The mail that a report is about says nothing about what became of it. */
function beforeOriginal(text: string): string {
  const lines = text.split("\n");
  const wordsOf = (line: string) => line.slice(0, LINE_CHARACTERS_READ).replace(BEFORE_WORDS, "");
  const end = lines.findIndex((line) => ORIGINAL.test(wordsOf(line)));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter((line) => !HEADER.test(wordsOf(line)))
    .join("\n");
}

const LINE_CHARACTERS_READ = 200;

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
    const isNext = address !== undefined && address !== last?.address && blocks.length < mailLimits.reported;
    if (isNext) blocks.push({ address, lines: "" });
    else if (last !== undefined) last.lines += `${line}\n`;
  }
  return blocks.filter(({ lines }) => lines.trim() !== "");
}
