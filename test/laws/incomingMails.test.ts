import { createIncomingReader } from "@headwater/messaging/tracker/incoming/createIncomingReader";
import { MailHead } from "@headwater/messaging/tracker/mail/mailHead";
import { mailLimits } from "@headwater/messaging/tracker/mail/mailLimits";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { adversarialTexts } from "./adversarialTexts.ts";
import { lawRuns } from "./coreTime.ts";

const RUNS = lawRuns(40);
const TYPES = [
  ...["text/plain", "text/html", "message/rfc822", "message/delivery-status", "message/feedback-report"],
  ...[
    "text/rfc822-headers",
    "message/global",
    "application/octet-stream",
    "text/plain; charset=utf-16",
    "text/calendar",
  ],
];
const ENCODINGS = ["7bit", "8bit", "base64", "quoted-printable", "x-none"];

const ended: string[] = [];
const reader = createIncomingReader({ onEnded: ({ task, reason }) => ended.push(`${task}: ${reason}`) });
afterAll(() => reader.close());

interface HostileMail {
  readonly depth: number;
  readonly types: readonly string[];
  readonly encoding: string;
  readonly subject: string;
  readonly body: string;
  readonly isClosed: boolean;
}

/** Builds a mail of nested parts, and keeps what the tracker reads of one. */
function headOf({ depth, types, encoding, subject, body, isClosed }: HostileMail): Buffer {
  const levels = Array.from({ length: depth }, (_, level) => level);
  const opened = levels.flatMap((level) => [
    `Content-Type: multipart/${level === 0 ? "report; report-type=delivery-status" : "mixed"}; boundary="b${level}"`,
    "",
    `--b${level}`,
  ]);
  const inner = depth === 0 ? "" : `\r\n--b${depth - 1}\r\n`;
  const parts = types.map((type) =>
    [`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, "", body].join("\r\n"),
  );
  const closed = isClosed ? levels.toReversed().map((level) => `\r\n--b${level}--`) : [];
  const top = [`Subject: ${subject}`, "To: <a@example.com>", "Auto-Submitted: auto-replied"];
  const head = new MailHead();
  head.add(Buffer.from([...top, ...opened, parts.join(inner), ...closed].join("\r\n")));
  return head.bytes();
}

const textOf = (lengthMax: number) =>
  fc
    .tuple(fc.constantFrom(...adversarialTexts(lengthMax)), fc.integer({ min: 0, max: lengthMax }))
    .map(([{ text }, length]) => text.slice(0, length));

test("no mail that the tracker reads takes two seconds of a core or 256 MiB, at and past every limit of parsing", async () => {
  const mails = fc.record({
    depth: fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom(mailLimits.nesting - 1, mailLimits.nesting + 1, 400),
    ),
    types: fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 8 }),
    encoding: fc.constantFrom(...ENCODINGS),
    subject: textOf(2 * mailLimits.headersBytes),
    body: textOf(mailLimits.headBytes),
    isClosed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(mails, async (mail) => {
      const read = await reader.readMail(1, headOf(mail));
      expect(ended).toEqual([]);
      expect(read?.addresses.length).toBeLessThanOrEqual(mailLimits.addresses);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test("a mail of many short parts, and one of many addresses, end in time as well", async () => {
  const parts = Array.from(
    { length: mailLimits.headLines / 4 },
    (_, n) => `--b\r\nContent-Type: ${TYPES[n % TYPES.length]}\r\n\r\nx`,
  );
  const to = Array.from({ length: 5_000 }, (_, n) => `"a, <${n}>" <a${n}@example.com>`).join(",\r\n ");
  const mails = [
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("\r\n")}`,
    `To: ${to}\r\n\r\nhi`,
    `To: ${"(".repeat(16_000)}a@example.com${")".repeat(15_000)}\r\n\r\nhi`,
    `To: ${"group: a@example.com; ".repeat(1_400)}\r\n\r\nhi`,
  ];
  for (const mail of mails) {
    const head = new MailHead();
    head.add(Buffer.from(mail));
    expect(await reader.readMail(1, head.bytes())).toBeDefined();
  }
  expect(ended).toEqual([]);
});
