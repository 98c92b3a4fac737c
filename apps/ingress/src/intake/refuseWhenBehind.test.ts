import { expect, test } from "vitest";
import { refuseWhenBehind } from "./refuseWhenBehind.ts";

const MIB = 1024 * 1024;
const ready = { link: "ready", queuedBytes: 0, isDraining: false } as const;

const refusals = [
  ["a log that is away", { ...ready, link: "away" }],
  ["a service that is ending", { ...ready, isDraining: true }],
  ["a queue that is long", { ...ready, queuedBytes: 9 * MIB }],
] as const;

test.each(refusals)("%s is a 503 before the body is read", (_what, state) => {
  expect(() => refuseWhenBehind({ state: () => state })).toThrow(
    expect.objectContaining({ code: "SERVICE_UNAVAILABLE", status: 503 }),
  );
});

test("a log that keeps up takes more, also while it connects", () => {
  for (const state of [ready, { ...ready, queuedBytes: 7 * MIB }, { ...ready, link: "starting" } as const]) {
    expect(() => refuseWhenBehind({ state: () => state })).not.toThrow();
  }
});
