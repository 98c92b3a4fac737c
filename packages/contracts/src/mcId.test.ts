import { expect, test } from "vitest";
import { parseMcId, parseMessageId } from "./mcId.ts";

test("an mcID is read from both ends, so that a message's id may hold colons", () => {
  const send = { account: "acc", contact: "c1", n: "1" };
  expect(parseMcId("acc:m1:b:c1:1")).toEqual({ ...send, message: "m1", type: "b" });
  expect(parseMcId("acc:news:may:b:c1:1")).toEqual({ ...send, message: "news:may", type: "b" });
  expect(parseMcId("acc:a:b:d260131:a:c1:1")).toEqual({ ...send, message: "a:b", period: "d260131", type: "a" });
  expect(parseMcId("acc:d260131:a:c1:1")).toEqual({ ...send, message: "d260131", type: "a" });
});

test("a text that lacks a part is no mcID", () => {
  for (const text of ["", "m1", "acc:m1:b:c1", "acc::b:c1:1", ":m1:b:c1:1", "acc:m1::c1:1", "acc:m1:b:c1:"]) {
    expect([text, parseMcId(text)]).toEqual([text, undefined]);
  }
});

test("the id of a message has the period of a child behind it or none", () => {
  expect(parseMessageId("m7")).toEqual({ message: "m7" });
  expect(parseMessageId("a:b:h26013109")).toEqual({ message: "a:b", period: "h26013109" });
  expect(parseMessageId("")).toBeUndefined();
});
