import { expect, test } from "vitest";
import { toBody } from "./getFreshness.ts";

test("a store is as far behind as the slowest partition that feeds it; the accounting feeds none", () => {
  const lag = (group: string, partition: number, records: number, seconds: number) => {
    return { group, topic: "intake.records", partition, nextOffset: 0, records, seconds };
  };
  const lags = [lag("state", 0, 1, 2), lag("state", 1, 2, 1), lag("activities", 0, 9, 4), lag("accounting", 0, 5, 60)];
  expect(toBody(lags, 3)).toEqual({
    data: [
      { topic: "intake.records", group: "state", records: 3, seconds: 2 },
      { topic: "intake.records", group: "activities", records: 9, seconds: 4 },
      { topic: "intake.records", group: "accounting", records: 5, seconds: 60 },
    ],
    postgres: { seconds: 2 },
    clickhouse: { seconds: 4 },
  });
  expect(toBody([], 3).clickhouse).toEqual({ seconds: 3 });
});
