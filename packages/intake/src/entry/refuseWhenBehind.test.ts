import { expect, test } from "vitest";
import { limits } from "./limits.ts";
import { refuseWhenBehind } from "./refuseWhenBehind.ts";

const ready = { link: "ready", queuedBytes: 0, isDraining: false } as const;
const empty = { bytes: 0, waitMs: 0, isShared: false };
const behind = { bytes: limits.bytesWritten + 1, waitMs: 1_001, isShared: false };

const refusals = [
  ["a log that is away", { ...ready, link: "away" }, empty, 503],
  ["a service that is ending", { ...ready, isDraining: true }, empty, 503],
  ["a queue that needs longer than a second", ready, behind, 503],
  ["an account that has more than its share waiting", ready, { ...behind, isShared: true }, 429],
] as const;

test.each(refusals)("%s is refused before the body is read", (_what, state, backlog, status) => {
  const producer = { state: () => state, backlog: () => backlog };
  expect(() => refuseWhenBehind(producer, "a")).toThrow(
    expect.objectContaining({ status, retriable: true, extra: { retryAfterSeconds: 1 } }),
  );
});

const taken = [
  ["a log that keeps up", ready, empty],
  ["a log that connects", { ...ready, link: "starting" }, empty],
  ["a long queue that is sent within the second", ready, { ...behind, waitMs: 900 }],
  ["one largest request that waits, however slow the log is", ready, { ...behind, bytes: limits.bytesWritten }],
  ["an account with an empty queue, whatever others have queued", ready, { ...empty, isShared: true }],
] as const;

test.each(taken)("%s takes more", (_what, state, backlog) => {
  expect(() => refuseWhenBehind({ state: () => state, backlog: () => backlog }, "a")).not.toThrow();
});
