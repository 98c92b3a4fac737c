import { expect, test } from "vitest";
import { microsPerRecord, sentenceOfMicros, usageSince } from "./storeUsage.ts";

test("processor time a record is shown for our process and of each store that was read in all stretches", () => {
  const stretches = [
    { events: 1_000, cpuSeconds: 0.03, stores: { Kafka: 0.002, Postgres: 0.02 } },
    { events: 3_000, cpuSeconds: 0.05, stores: { Kafka: 0.006 } },
  ];
  const micros = microsPerRecord("projector", stretches);
  expect(sentenceOfMicros(micros)).toBe("µs of processor time a record: projector 20.0, Kafka 2.0");
});

test("a store that was not seen at one of the two readings is left out", () => {
  expect(usageSince({ Kafka: 1, Postgres: 2 }, { Kafka: 1.5, ClickHouse: 3 })).toEqual({ Kafka: 0.5 });
});
