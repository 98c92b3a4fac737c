import { expect, test } from "vitest";
import type { PendingMessage } from "./pendingMessage.ts";
import { checkAnswer } from "./sendAnswer.ts";

function message(partition: number, topic = "t"): PendingMessage {
  const raw = { topic, partition, key: "", value: Buffer.alloc(0) };
  return { topic, partition, batchedAtMs: 0, content: { kind: "raw", message: raw }, parts: [], bytes: 0 };
}

const answer = (partition: number, baseOffset?: string, errorCode = 0) => ({
  topicName: "t",
  partition,
  errorCode,
  ...(baseOffset === undefined ? {} : { baseOffset }),
});

const outcomes = (results: ReturnType<typeof checkAnswer>) =>
  results.map((result) => (result.kind === "written" ? result.offset : result.reason));

test("messages of a partition are at its base offset, one after the other", () => {
  const messages = [message(0), message(1), message(0), message(0)];
  expect(outcomes(checkAnswer(messages, [answer(1, "40"), answer(0, "7")]))).toEqual([7, 40, 8, 9]);
});

test("a partition that is missing from the answer was not written, though the send resolved", () => {
  const verdicts = checkAnswer([message(0), message(1)], [answer(0, "7")]);
  expect(outcomes(verdicts)).toEqual([7, "the partition is not in the answer"]);
});

test("the same partition of another topic is another partition", () => {
  const verdicts = checkAnswer([message(0, "u")], [answer(0, "7")]);
  expect(outcomes(verdicts)).toEqual(["the partition is not in the answer"]);
});

test("an answer with an error, without an offset, or given twice is none", () => {
  expect(outcomes(checkAnswer([message(0)], [answer(0, "7", 6)]))).toEqual(["the partition answered error 6"]);
  expect(outcomes(checkAnswer([message(0)], [answer(0, "-1")]))).toEqual(["the partition answered no offset"]);
  expect(outcomes(checkAnswer([message(0)], [answer(0)]))).toEqual(["the partition answered no offset"]);
  expect(outcomes(checkAnswer([message(0)], [answer(0, "7"), answer(0, "9")]))).toEqual([
    "the partition is in the answer more than once",
  ]);
});
