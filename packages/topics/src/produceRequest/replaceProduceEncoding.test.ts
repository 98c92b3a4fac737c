import { createRequire } from "node:module";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encodeProduce } from "./encodeProduce.ts";
import { replaceProduceEncoding } from "./replaceProduceEncoding.ts";

interface Body {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}
type Create = (input: object) => { readonly request: { readonly apiVersion: number; encode(): Promise<Body> } };

const load = createRequire(import.meta.url);
/** kafkajs' own encoder of version 3, below the position where ours takes over. */
const theirs = (provided: object): Promise<Body> =>
  load("kafkajs/src/protocol/requests/produce/v3/request")(provided).encode();
const version = (of: number): Create => load("kafkajs/src/protocol/requests/produce").protocol({ version: of });

const content = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes)),
);
const message = fc.record(
  {
    key: fc.option(content, { nil: null }),
    value: fc.option(content, { nil: null }),
    headers: fc.dictionary(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), content, { maxKeys: 4 }),
    partition: fc.nat(100),
  },
  { requiredKeys: ["value"] },
);
const messages = fc.oneof(
  fc.array(message, { minLength: 1, maxLength: 5 }),
  fc.constant(Array.from({ length: 200 }, (_, n) => ({ key: `k${n}`, value: Buffer.alloc(n, n) }))),
);
const partition = fc.record({
  partition: fc.nat(1_000),
  firstSequence: fc.nat(2 ** 31 - 1),
  messages,
});
const request = fc.record({
  acks: fc.constantFrom(-1, 1),
  timeout: fc.nat(60_000),
  producerId: fc.oneof(fc.nat(), fc.bigInt(0n, 2n ** 62n).map(String)),
  producerEpoch: fc.nat(2 ** 15 - 1),
  compression: fc.constantFrom(0, undefined),
  topicData: fc.array(
    fc.record({
      topic: fc.string({ minLength: 1, maxLength: 40 }),
      partitions: fc.array(partition, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 9, 22) });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a produce request has the bytes that kafkajs writes, whatever the messages hold", async () => {
  await fc.assert(
    fc.asyncProperty(request, async (received) => {
      const ours = encodeProduce({ ...received, producerId: BigInt(received.producerId) }, Date.now());
      const expected = (await theirs(received)).buffer;
      expect(ours.equals(expected)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("lengths at which a varint grows by a byte are written as kafkajs writes them", async () => {
  for (const length of [0, 1, 49, 50, 63, 64, 8_100, 8_191, 8_192, 1_048_500, 1_048_575, 1_048_576]) {
    const messages = [{ key: null, value: Buffer.alloc(length, 1) }];
    const topicData = [{ topic: "t", partitions: [{ partition: 0, firstSequence: 0, messages }] }];
    const given = { acks: -1, timeout: 1, producerId: "7", producerEpoch: 0, topicData };
    const ours = encodeProduce({ ...given, producerId: 7n }, Date.now());
    expect(ours.equals((await theirs(given)).buffer), `${length} bytes`).toBe(true);
  }
});

test("kafkajs takes the replaced encoding for plain requests alone, and keeps each version's name", async () => {
  replaceProduceEncoding();
  replaceProduceEncoding();
  const partitions = (message: object) => [{ partition: 0, firstSequence: 5, messages: [message] }];
  const given = (message: object, more = {}) => ({
    ...{ acks: -1, timeout: 9, producerId: "12", producerEpoch: 1, compression: 0 },
    ...more,
    topicData: [{ topic: "t", partitions: partitions(message) }],
  });
  const requests = [
    given({ key: "k", value: "v" }),
    given({ key: "k", value: "v", timestamp: "1700000000000" }),
    given({ key: "k", value: "v" }, { compression: 1 }),
    given({ key: "k", value: "v" }, { transactionalId: "x" }),
  ];
  for (const [at, asked] of requests.entries()) {
    const { request: created } = version(7)(asked);
    const body = await created.encode();
    expect(created.apiVersion).toBe(7);
    expect(Buffer.compare(body.buffer, (await theirs(asked)).buffer), `request ${at}`).toBe(0);
    // kafkajs' own body is a larger buffer and a view of its used part; ours is one buffer of the right size.
    expect(body.buf === body.buffer, `request ${at} is encoded by us`).toBe(at === 0);
  }
});
