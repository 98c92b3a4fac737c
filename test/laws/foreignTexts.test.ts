import { asciiDomain, mailDomain, parseTime } from "@headwater/contracts";
import { listNamesOf } from "@headwater/intake/partners/listNames";
import { readHostKey } from "@headwater/jobs/destinations/sftp/hostKeys";
import { runAtOnce } from "@headwater/kernel";
import { refusalOf } from "@headwater/messaging/outcomes/refusal";
import { bounceOf } from "@headwater/messaging/tracker/mail/bounceOf";
import { addressIn, comparableAddress, parseDeliveryStatus } from "@headwater/messaging/tracker/mail/deliveryStatus";
import { readPlainReport, unknownReport } from "@headwater/messaging/tracker/mail/plainReports";
import { parseFields } from "@headwater/messaging/tracker/mail/reportFields";
import { tokenInAddress, tokenInMail, tokensInText } from "@headwater/messaging/tracker/mail/tokenInAddress";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { targetOf } from "@headwater/messaging/tracking/trackMessage";
import { walkHtml } from "@headwater/messaging/tracking/walkHtml";
import { describe, expect, test } from "vitest";
import { adversarialTexts } from "./adversarialTexts.ts";
import { CORE_MS_MAX, coreMs } from "./coreTime.ts";

/** Length of the part of a mail that the tracker reads. */
const CHARACTERS = 128 * 1024;
const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);

const fromMachine = { isAutoReply: false };

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a report in plain words": (text) =>
    readPlainReport({ text, subject: "failure notice", failed: text, ...fromMachine }),
  "the subject of a report": (text) => readPlainReport({ text: "", subject: text, failed: undefined, ...fromMachine }),
  "a report in unknown words": (text) => bounceOf(unknownReport({ text, subject: text })),
  "the words of a refusal": (text) => refusalOf({ enhanced: [], text }),
  "a delivery status": parseDeliveryStatus,
  "the fields of a report": parseFields,
  "the words of a bounce": (text) => bounceOf({ action: "failed", status: text, text, addresses: [] }),
  "an address in a report": (text) => [addressIn(text), comparableAddress(text)],
  "tokens in a mail": (text) => tokensInText(tokens, text),
  "a token in a mail that is not parsed yet": (text) => tokenInMail(tokens, Buffer.from(text)),
  "a token in an address": (text) => tokenInAddress(tokens, `${text}@example.com`),
  "links in HTML": (text) => runAtOnce(walkHtml(text, 1_000)),
  "the target of a link": targetOf,
  "a domain": (text) => [asciiDomain(text), mailDomain(text)],
  "a time": (text) => parseTime(text),
  "a host key": readHostKey,
  "the name of a partner's list": (text) => listNamesOf("cdpsync", { name: text, externalId: text, isMade: false }),
};

const texts = adversarialTexts(CHARACTERS);

describe.each(Object.entries(readers))("%s", (_what, read) => {
  test(`of any text takes less than ${CORE_MS_MAX} ms of a core`, () => {
    for (const { name, text } of texts) {
      expect([name, coreMs(() => read(text)) < CORE_MS_MAX]).toEqual([name, true]);
    }
  }, 60_000);
});
