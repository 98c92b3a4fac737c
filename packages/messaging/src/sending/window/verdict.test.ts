import { messagingSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { Recipient } from "./facts.ts";
import { testSend } from "./testSend.ts";
import { isSuppressed, type Judging, judge } from "./verdict.ts";

const NOW_MS = Date.parse("2026-06-10T23:00:00+02:00");
const send = testSend;
const transactional = { ...send, classification: "transactional" } as const;
const good: Recipient = {
  ...{ row: null, address: "ada@example.com", status: "subscribed", isValid: true, suppressed: [], counted: [] },
};
const settings = messagingSettings.parse({
  quietHours: { from: "22:00", to: "08:00" },
  caps: [{ channel: "email", count: 1, per: { n: 1, unit: "day" } }],
});
const judging: Judging = {
  ...{ settings: messagingSettings.parse({}), zone: "Europe/Berlin", hasMessage: true, nowMs: NOW_MS },
  ...{ isHeldOut: false, isDuplicate: false },
};
const reasonOf = (...input: Parameters<typeof judge>) => {
  const verdict = judge(...input);
  return verdict.kind === "send" ? verdict.address : verdict.reason;
};

test("of several reasons the first one of the list is given", () => {
  const counted = [{ channel: "email", intendedAt: NOW_MS }];
  const steps: readonly (Partial<Recipient> | Partial<Judging>)[] = [
    { address: "ada@example.com" },
    { isValid: true },
    { suppressed: [] },
    { status: "subscribed" },
    { isDuplicate: false },
    { isHeldOut: false },
    { counted: [] },
    { hasMessage: true },
    { settings: judging.settings },
  ];
  let now = { ...judging, settings, hasMessage: false, isHeldOut: true, isDuplicate: true };
  let recipient: Recipient = { ...good, address: " ", isValid: false, suppressed: ["manual"], status: "none", counted };
  const reasons = [reasonOf(send, undefined, now), reasonOf(send, recipient, now)];
  for (const step of steps) {
    recipient = { ...recipient, ...step };
    now = { ...now, ...step };
    reasons.push(reasonOf(send, recipient, now));
  }
  const provided = ["erased", "no-address", "invalid-address", "suppressed", "not-subscribed", "duplicate", "holdout"];
  expect(reasons).toEqual([...provided, "capped", "template-deleted", "quiet-hours", "ada@example.com"]);
});

test("a transactional message goes to those who did not subscribe, at any hour, however many they got", () => {
  const counted = [{ channel: "email", intendedAt: NOW_MS }];
  for (const status of ["none", "pending", "unsubscribed"] as const) {
    expect(reasonOf(transactional, { ...good, status, counted }, { ...judging, settings })).toBe("ada@example.com");
    expect(reasonOf(send, { ...good, status }, judging)).toBe("not-subscribed");
  }
});

test("a test goes out whoever it is for, but not to an address that is suppressed", () => {
  const trial: StoredSend = { ...send, kind: "t" };
  expect(reasonOf(trial, { ...good, status: "none" }, { ...judging, settings })).toBe("ada@example.com");
  expect(reasonOf(trial, { ...good, suppressed: ["complaint"] }, judging)).toBe("suppressed");
});

test("complaints and what an erasure left hold for promotional messages alone", () => {
  expect(isSuppressed(["complaint"], true)).toBe(true);
  expect(isSuppressed(["complaint", "erased-unsubscribed"], false)).toBe(false);
  expect(isSuppressed(["manual"], false)).toBe(true);
  expect(isSuppressed(["hard-bounce"], false)).toBe(true);
  expect(isSuppressed([], true)).toBe(false);
});

test("a send that quiet hours hold is due when they end", () => {
  const verdict = judge(send, good, { ...judging, settings });
  expect(verdict).toEqual({ kind: "hold", reason: "quiet-hours", until: Date.parse("2026-06-11T08:00:00+02:00") });
});
