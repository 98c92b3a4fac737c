import { messagingSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { keywordOf } from "./providerRecords.ts";

const { smsKeywords } = messagingSettings.parse({ smsKeywords: { stop: ["stop", "arrêt", "बंद", "opt.out", "หยุด"] } });

test.each([
  ["ＳＴＯＰ", "stop"],
  ["«Stop»", "stop"],
  ["arre\u0302t", "stop"],
  ["ARRÊT svp", "stop"],
  ["बंद करो", "stop"],
  ["หยุด", "stop"],
  ["\n opt.out now", "stop"],
  ["unstop", "start"],
  ["info?", "help"],
  ["stopped", undefined],
  ["please stop", undefined],
  ["opt out", undefined],
])("the message %j means %s", (text, meaning) => {
  expect(keywordOf(text, smsKeywords)).toBe(meaning);
});
