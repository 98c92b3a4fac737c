import { messagingSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import type { Delivered } from "../../frozen/handover.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { resolutionOf } from "./outcome.ts";
import { testSend } from "./testSend.ts";

const NOW_MS = 1_000_000_000_000;
const HOUR_MS = 3_600_000;
const send: StoredSend = { ...testSend, attempts: 1 };
const resolve = (
  outcome: Delivered["outcome"],
  more: Partial<StoredSend> = {},
  said: Omit<Delivered, "outcome"> = {},
) =>
  resolutionOf(
    { ...send, ...more },
    {
      ...{ delivered: { outcome, ...said }, attempts: 1, settings: messagingSettings.parse({}) },
      ...{ message: { classification: "promotional", onUnknown: "skip" }, nowMs: NOW_MS, random: 0.5 },
    },
  );
const LATER = { kind: "deferred", slowsDown: false } as const;

test("a handed-over message is sent; a refused one is, too, and bounces", () => {
  expect(resolve({ kind: "sent" }, {}, { code: 250, text: "x".repeat(300) })).toEqual({
    settled: { state: "sent", reason: null, code: 250, text: "x".repeat(200), dueAt: NOW_MS },
    isSent: true,
  });
  expect(resolve({ kind: "hard-bounce" })).toMatchObject({
    ...{ settled: { state: "sent", reason: "bounced" }, isSent: true, bounce: { bounceType: "hard" } },
  });
  expect(resolve({ kind: "soft-bounce", bounce: "full" })).toMatchObject({
    ...{ settled: { reason: "bounced" }, bounce: { bounceType: "soft", kind: "full" } },
  });
});

test("a lost answer is unknown, and sent again only while the send has a time left for it", () => {
  expect(resolve({ kind: "unknown" }).settled).toMatchObject({ state: "unknown", reason: "answer-lost" });
  expect(resolve({ kind: "unknown" }, { resendsLeft: 1 }).settled).toMatchObject({ state: "deferred", isResend: true });
});

test("what comes later is deferred until its hours are over; then it failed and bounced, unless something of ours was wrong", () => {
  expect(resolve(LATER).settled).toMatchObject({ state: "deferred", dueAt: NOW_MS + 60_000 });
  const old = { firstAt: NOW_MS - 24 * HOUR_MS };
  expect(resolve(LATER, old)).toMatchObject({
    ...{ settled: { state: "failed", reason: "given-up" }, isSent: false, bounce: { bounceType: "soft" } },
  });
  expect(resolve(LATER, { ...old, classification: "transactional" }).settled.state).toBe("deferred");
  const ours = resolve({ kind: "transport-failure" }, old);
  expect(ours.settled).toMatchObject({ state: "failed", reason: "transport" });
  expect(ours.bounce).toBeUndefined();
});
