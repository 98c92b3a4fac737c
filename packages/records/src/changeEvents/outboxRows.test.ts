import { expect, test } from "vitest";
import { toOutboxRows } from "./outboxRows.ts";

const topic = "changes.contacts";
const payloadsOf = (...pieces: readonly (readonly string[])[]) =>
  toOutboxRows(
    pieces.map((texts) => ({ topic, texts })),
    { positions: [7, 8, 9], sourcePartition: 3 },
  );

test.each([
  { texts: ['{"a":1}'], payload: '{"position":7,"changes":[{"a":1}]}' },
  { texts: ['{"a":1}', '{"b":2}', '{"c":3}'], payload: '{"position":7,"changes":[{"a":1},{"b":2},{"c":3}]}' },
])("a message holds its $texts.length changes and the revision of its batch", ({ texts, payload }) => {
  expect(payloadsOf(texts)).toEqual([{ position: 7, topic, sourcePartition: 3, payload }]);
});

test("messages of one batch share its revision, and each has a place of its own", () => {
  const rows = payloadsOf(["{}"], ["{}"]);
  expect(rows.map(({ position }) => position)).toEqual([7, 8]);
  expect(rows.map(({ payload }) => payload)).toEqual(Array(2).fill('{"position":7,"changes":[{}]}'));
});
