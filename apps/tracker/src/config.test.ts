import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const env = {
  KAFKA_BROKERS: "127.0.0.1:9092",
  SCHEMA_REGISTRY_URL: "http://127.0.0.1:8080",
  POSTGRES_URL: "postgres://127.0.0.1/h",
  HEADWATER_SETTINGS_KEY_FILE: "/key",
  HEADWATER_ALLOW_PLAIN_HTTP: "loopback",
};
const mailboxOf = (url: string) =>
  readConfig({ ...env, HEADWATER_MAILBOX_URL: url, HEADWATER_MAILBOX_PASSWORD_FILE: "/p" }).HEADWATER_MAILBOX_URL;

describe("the settings of incoming mail", () => {
  test("have the usual ports, and no mailbox unless one is named", () => {
    const config = readConfig({ ...env, HEADWATER_COMPLAINT_ADDRESSES: "FBL@example.org, abuse@example.org" });
    expect(config).toMatchObject({
      HEADWATER_MAIL_PORT: 8451,
      HEADWATER_COMPLAINT_ADDRESSES: ["fbl@example.org", "abuse@example.org"],
    });
    expect(config.HEADWATER_MAILBOX_URL).toBeUndefined();
  });

  test("name a mailbox by an address without its password", () => {
    expect(mailboxOf("imaps://bounces%40example.org@imap.example.org/Re%20ports")).toEqual({
      ...{ secure: true, host: "imap.example.org", port: 993, user: "bounces@example.org", folder: "Re ports" },
    });
    expect(mailboxOf("imap://ada@[::1]:8453")).toEqual({
      ...{ secure: false, host: "::1", port: 8453, user: "ada", folder: "INBOX" },
    });
  });

  test.each(["https://ada@x", "imaps://x", "imaps://ada:secret@x", "mail"])("refuse %s", (url) => {
    expect(() => mailboxOf(url)).toThrow(/HEADWATER_MAILBOX_URL/);
  });

  test("want the mailbox and its password together", () => {
    expect(() => readConfig({ ...env, HEADWATER_MAILBOX_URL: "imaps://ada@x" })).toThrow(/PASSWORD_FILE/);
    expect(() => readConfig({ ...env, HEADWATER_MAILBOX_PASSWORD_FILE: "/p" })).toThrow(/MAILBOX_URL/);
  });
});
