import fc from "fast-check";
import { expect, test } from "vitest";
import { findString } from "./findString.ts";

const path = ["account", "account_settings", "apiKey"];

test.each([
  ['{"account":{"account_settings":{"apiKey":"k"}}}', "k"],
  ['{"x":[1,{"apiKey":"no"}],"apiKey":"no","account":{"apiKey":"no","account_settings":{"a":"b","apiKey":"k"}}}', "k"],
  ['{"\\u0061ccount" : { "account_settings"\n:{"apiKey":"\\u006b\\"\\\\"}}}', 'k"\\'],
  ['{"a":"\\\\","account":{"account_settings":{"apiKey":"k"},"cut off":[', "k"],
  ['[{"account":{"account_settings":{"apiKey":"no"}}}]', undefined],
  ['{"account":[{"account_settings":{"apiKey":"no"}}]}', undefined],
  ['{"account":{"account_settings":{"apiKey":7}}}', undefined],
  ['{"account":{"account_settings":{"apiKey":["no"]}}}', undefined],
  ['{"a":"\\"account\\":{\\"account_settings\\":{\\"apiKey\\":\\"no\\"}}"}', undefined],
  ['"no JSON', undefined],
])("%s holds %s", (text, key) => {
  expect(findString(text, path)).toBe(key);
});

test("the scan finds what a parser finds, whatever stands before it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.boolean(), (others, key, isPretty) => {
      const body = { ...others, account: { ...others, account_settings: { ...others, apiKey: key } } };
      expect(findString(JSON.stringify(body, null, isPretty ? 2 : 0), path)).toBe(key);
    }),
  );
});
