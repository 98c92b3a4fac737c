import { describe, expect, test } from "vitest";
import {
  type BatchMessageCall,
  type BatchMessageCause,
  type BatchMessageStatus,
  batchMessageCalls,
  batchMessageStatuses,
  callsAllowed,
  evaluateCall,
  isFinalMessage,
  statusAfter,
  statusOfSend,
} from "./transitions.ts";

/** Each state with the calls that go through, those whose target holds, and those that are refused. */
const CALLS: Record<BatchMessageStatus, readonly [go: string, holds: string, refused: string]> = {
  draft: ["send delete", "unschedule", "pause resume cancel"],
  scheduled: ["cancel unschedule delete", "send", "pause resume"],
  pending: ["pause cancel", "send", "resume unschedule delete"],
  processing: ["pause cancel", "resume", "send unschedule delete"],
  paused: ["resume cancel", "pause", "send unschedule delete"],
  sent: ["", "", "send pause resume cancel unschedule delete"],
  canceled: ["", "cancel", "send pause resume unschedule delete"],
  failed: ["", "", "send pause resume cancel unschedule delete"],
};
const callsIn = (text: string) => batchMessageCalls.filter((call) => text.split(" ").includes(call));

describe.each(batchMessageStatuses)("a message that is %s", (status) => {
  const [go, holds, refused] = CALLS[status];
  test("takes the calls that its state allows", () => {
    const validated = (kind: string) => batchMessageCalls.filter((call) => evaluateCall(status, call).kind === kind);
    expect([validated("go"), validated("holds"), validated("refused")]).toEqual([go, holds, refused].map(callsIn));
  });

  test("is refused with its state and the states that would do", () => {
    for (const call of callsIn(refused)) {
      expect(evaluateCall(status, call)).toEqual({ kind: "refused", from: status, allowed: callsIn(go) });
    }
  });

  test("moves by the causes that mean something in its state", () => {
    const causes: readonly BatchMessageCause[] = ["due", "start", "done", "hold", "fail"];
    const moved = causes.flatMap((cause) => {
      const to = statusAfter(status, cause);
      return to === undefined ? [] : [`${cause} ${to}`];
    });
    expect(moved).toEqual(CAUSES[status] ?? []);
  });
});

const CAUSES: Partial<Record<BatchMessageStatus, readonly string[]>> = {
  scheduled: ["due pending"],
  pending: ["start processing", "hold paused", "fail failed"],
  processing: ["done sent", "hold paused", "fail failed"],
};

test("a final state takes no call and no cause", () => {
  const final = batchMessageStatuses.filter(isFinalMessage);
  expect(final).toEqual(["sent", "canceled", "failed"]);
  expect(final.flatMap((status): BatchMessageCall[] => callsAllowed(status))).toEqual([]);
});

test("a schedule in the future is waited for; one that is past, or none, starts at once", () => {
  expect([statusOfSend(2, 1), statusOfSend(1, 1), statusOfSend(0, 1), statusOfSend(null, 1)]).toEqual([
    "scheduled",
    "pending",
    "pending",
    "pending",
  ]);
});
