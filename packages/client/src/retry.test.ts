import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, mayBeAccepted, RETRY_AFTER_MS_MAX, readRetryAfter } from "./retry.ts";

const policy = { minMs: 100, maxMs: 2_000, giveUpAfterMs: 60_000 };
const first = { attempt: 1, elapsedMs: 0, random: 0 };
const answered = (status: number, more: object = {}) => ({ kind: "answered", status, ...more }) as const;
const lost = { kind: "lost" } as const;

describe("what comes after an attempt", () => {
  test.each([429, 408, 500, 502, 503, 504])("%i is tried again", (status) => {
    expect(decide(answered(status), first, policy)).toEqual({ kind: "retry", waitMs: 50 });
  });

  test("no answer is tried again, and a first call that is still running is asked for its answer", () => {
    expect(decide(lost, first, policy).kind).toBe("retry");
    expect(decide(answered(409, { code: "IDEMPOTENCY_IN_PROGRESS" }), first, policy).kind).toBe("retry");
  });

  test.each([202, 200, 301, 400, 401, 403, 404, 409, 415, 422])("%i is final", (status) => {
    expect(decide(answered(status), first, policy)).toEqual({ kind: "settled" });
  });

  test("413 asks for less at once", () => {
    expect(decide(answered(413), first, policy)).toEqual({ kind: "tooLarge" });
  });

  test("only answers that say that nothing was accepted leave no doubt", () => {
    const doubtful = [lost, answered(500), answered(503), answered(409)];
    const clear = [answered(429), answered(408), answered(401), answered(413)];
    expect([doubtful.map(mayBeAccepted), clear.map(mayBeAccepted)]).toEqual([
      [true, true, true, true],
      [false, false, false, false],
    ]);
  });
});

describe("laws of waiting", () => {
  const ended = fc.oneof(
    fc.constant(lost),
    fc.record({
      kind: fc.constant("answered" as const),
      status: fc.constantFrom(408, 429, 500, 503),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
    }),
  );
  const tried = fc.record({
    attempt: fc.integer({ min: 1, max: 10_000 }),
    elapsedMs: fc.integer({ min: 0, max: 100_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  test("a wait is never shorter than asked, never longer than asked and the bound together, and takes some time", () => {
    fc.assert(
      fc.property(ended, tried, (how, when) => {
        const decision = decide(how, { ...when, elapsedMs: 0 }, { ...policy, giveUpAfterMs: Number.MAX_SAFE_INTEGER });
        if (decision.kind !== "retry") throw new Error("all of these are tried again");
        const asked = Math.min(RETRY_AFTER_MS_MAX, how.kind === "answered" ? (how.retryAfterMs ?? 0) : 0);
        expect(decision.waitMs).toBeGreaterThanOrEqual(asked + policy.minMs / 2);
        expect(decision.waitMs).toBeLessThanOrEqual(asked + policy.maxMs);
      }),
    );
  });

  test("no attempt begins after the time to give up", () => {
    fc.assert(
      fc.property(ended, tried, (how, when) => {
        const decision = decide(how, when, policy);
        if (decision.kind === "retry")
          expect(when.elapsedMs + decision.waitMs).toBeLessThanOrEqual(policy.giveUpAfterMs);
        else expect(decision.kind).toBe("giveUp");
      }),
    );
  });

  test("the bound doubles until it is full", () => {
    const waits = [1, 2, 3, 4, 5, 6, 1_000].map((attempt) => decide(lost, { ...first, attempt }, policy));
    const expected = [50, 100, 200, 400, 800, 1_000, 1_000].map((waitMs) => ({ kind: "retry", waitMs }));
    expect(waits).toEqual(expected);
  });
});

test("Retry-After is read in seconds and as a date; anything else is none", () => {
  const nowMs = Date.parse("2026-01-09T22:47:12Z");
  expect(readRetryAfter("3", nowMs)).toBe(3_000);
  expect(readRetryAfter("Fri, 09 Jan 2026 22:47:15 GMT", nowMs)).toBe(3_000);
  expect(readRetryAfter("Fri, 09 Jan 2026 22:47:10 GMT", nowMs)).toBe(0);
  expect(["", " ", "soon", null].map((header) => readRetryAfter(header, nowMs))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
