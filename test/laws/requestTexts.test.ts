import { readRange } from "@headwater/analytics/files/routes/getFile";
import { createCursors } from "@headwater/api/paging/cursors";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import { canonicalValue, internationalPhone, isAddressOf, parseTime } from "@headwater/contracts";
import { readCells } from "@headwater/jobs/sources/csvCells";
import { mailHeaders } from "@headwater/messaging/compose/mailHeaders";
import { robotOf } from "@headwater/messaging/tracker/events/robots";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { adversarialTexts } from "./adversarialTexts.ts";
import { CORE_MS_MAX, coreMs } from "./coreTime.ts";

const KIB = 1024;
const cursors = createCursors("law");
const scope = { account: 1, list: "law", direction: "asc" } as const;
const csv = { format: "csv", delimiter: ",", newline: "\n" } as const;
/** Records are cut before they are read: a line end in one stands in quotes. */
const oneLine = (text: string) => text.replaceAll(/[\r\n]/g, " ");
const visitOf = (text: string) => ({ method: "GET", atMs: 0, header: () => text });

interface Reader {
  /** Limit of the text where it comes in. */
  readonly characters: number;
  readonly read: (text: string) => unknown;
}

const readers: Readonly<Record<string, Reader>> = {
  "a Range header": {
    characters: 32 * KIB,
    read: (text) => [readRange(text, 1_000), readRange(`bytes=${text}`, 1_000)],
  },
  "the headers of a visit": { characters: 32 * KIB, read: (text) => robotOf(visitOf(text), 0) },
  "a query string": { characters: 32 * KIB, read: (text) => [...new URLSearchParams(text)].length },
  "a cursor": { characters: 32 * KIB, read: (text) => cursors.open(text, scope, z.string()) },
  "a time in a query": {
    characters: 32 * KIB,
    read: (text) => unlessRefused(() => readTimeRange({ at: text }, "at", "UTC")),
  },
  "a time in a record": { characters: 256 * KIB, read: (text) => parseTime(text) },
  "an address": {
    characters: 256 * KIB,
    read: (text) => [
      ...(["email", "phone", "string"] as const).map((format) => canonicalValue(format, text, "AT")),
      ...["email", "sms"].map((channel) => isAddressOf(channel, text)),
      internationalPhone(text),
    ],
  },
  "an address as long as one may be": {
    characters: 2 * KIB,
    read: (text) => (["email", "phone"] as const).map((format) => canonicalValue(format, text, "AT")),
  },
  "the headers of a mail": {
    characters: 32 * KIB,
    read: (text) =>
      mailHeaders({
        ...{ classification: "promotional", unsubscribe: { url: text }, listId: text, feedbackId: text },
        headers: { fromEmail: text, replyEmail: `${text}@example.com` },
      }),
  },
  "a row of a CSV file": { characters: 256 * KIB, read: (text) => readCells([Buffer.from(oneLine(text))], csv) },
  "a quoted row of a CSV file": { characters: 256 * KIB, read: (text) => readCells([Buffer.from(`"${text}"`)], csv) },
};

describe.each(Object.entries(readers))("%s", (_what, { characters, read }) => {
  test(`of any text takes less than ${CORE_MS_MAX} ms of a core`, () => {
    for (const { name, text } of adversarialTexts(characters)) {
      expect([name, coreMs(() => read(text)) < CORE_MS_MAX]).toEqual([name, true]);
    }
  }, 120_000);
});

function unlessRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "HeadwaterError") throw error;
    return undefined;
  }
}
