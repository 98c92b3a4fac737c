import fc from "fast-check";
import { expect, test } from "vitest";
import { type BatcherLimits, createFrameBatcher } from "./frameBatcher.ts";
import { createPendingAppend, type Placement } from "./pendingAppend.ts";
import type { FrameAppend, FrameContent, PendingMessage } from "./pendingMessage.ts";

const limits: BatcherLimits = {
  frameRecordsMax: 3,
  frameBytesMax: 1_000,
  sendBytesMax: 10_000,
  partitionBytesMax: 5_000,
};

function request(
  account: string,
  records: readonly (readonly [partition: number, text: string])[],
  key?: string,
): FrameAppend {
  return {
    topic: "t",
    subject: "s",
    account,
    entries: records.map(([partition, text]) => ({ partition, key: key ?? text, text })),
  };
}

const shape = (messages: readonly PendingMessage[]) =>
  messages.map(({ partition, content }) =>
    content.kind === "frame" ? [partition, content.key, content.texts.join("")] : [partition, "raw", ""],
  );
const pendingAppend = () =>
  createPendingAppend(
    () => undefined,
    () => undefined,
  );

test("records of several requests of one account share the frame of their partition", () => {
  const batcher = createFrameBatcher(limits);
  batcher.append(
    request("acc", [
      [0, "a"],
      [1, "b"],
    ]),
    pendingAppend(),
    0,
  );
  batcher.append(request("acc", [[0, "c"]]), pendingAppend(), 1);
  expect(shape(batcher.take().messages)).toEqual([
    [0, "acc", "ac"],
    [1, "b", "b"],
  ]);
  expect(batcher.take().messages).toEqual([]);
});

test("the records of an item share a frame where one has room for them", () => {
  const batcher = createFrameBatcher(limits);
  const entry = (text: string, records?: number) => {
    return { partition: 0, key: "k", text, ...(records !== undefined && { item: { records, bytes: records } }) };
  };
  const entries = [
    entry("a", 2),
    entry("b"),
    entry("c", 2),
    entry("d"),
    entry("e", 4),
    entry("f"),
    entry("g"),
    entry("h"),
  ];
  batcher.append({ topic: "t", subject: "s", account: "acc", entries }, pendingAppend(), 0);
  expect(shape(batcher.take().messages).map(([, , texts]) => texts)).toEqual(["ab", "cd", "efg", "h"]);
});

test("accounts and subjects never share a frame", () => {
  const batcher = createFrameBatcher(limits);
  batcher.append(request("one", [[0, "a"]]), pendingAppend(), 0);
  batcher.append(request("two", [[0, "b"]]), pendingAppend(), 0);
  batcher.append({ ...request("one", [[0, "c"]]), subject: "other" }, pendingAppend(), 0);
  expect(shape(batcher.take().messages)).toHaveLength(3);
});

test("the key is the contact's while the frame holds one contact, else the account", () => {
  const batcher = createFrameBatcher(limits);
  batcher.append(
    request(
      "acc",
      [
        [0, "a"],
        [0, "b"],
      ],
      "one contact",
    ),
    pendingAppend(),
    0,
  );
  batcher.append(
    request("acc", [
      [1, "c"],
      [1, "d"],
    ]),
    pendingAppend(),
    0,
  );
  expect(shape(batcher.take().messages)).toEqual([
    [0, "one contact", "ab"],
    [1, "acc", "cd"],
  ]);
});

test("a frame ends at its records and at its bytes; a record larger than a frame is one of its own", () => {
  const batcher = createFrameBatcher(limits);
  const large = "x".repeat(2_000);
  batcher.append(
    request("acc", [
      [0, "a"],
      [0, "b"],
      [0, "c"],
      [0, "d"],
      [0, large],
      [0, "e"],
    ]),
    pendingAppend(),
    0,
  );
  expect(shape(batcher.take().messages)).toEqual([
    [0, "acc", "abc"],
    [0, "d", "d"],
    [0, large, large],
    [0, "e", "e"],
  ]);
});

test("bytes are counted as they are written, not as characters", () => {
  const batcher = createFrameBatcher({ ...limits, frameRecordsMax: 500 });
  batcher.append(
    request("acc", [
      [0, "é".repeat(300)],
      [0, "é".repeat(300)],
    ]),
    pendingAppend(),
    0,
  );
  expect(batcher.take().messages).toHaveLength(2);
});

test("a send is bounded over all and per partition, and what is left keeps the order of its partition", () => {
  const batcher = createFrameBatcher({ ...limits, frameRecordsMax: 1, sendBytesMax: 900, partitionBytesMax: 600 });
  const text = (name: string) => name.repeat(250);
  batcher.append(
    request(
      "acc",
      [
        [0, text("a")],
        [0, text("b")],
        [1, text("c")],
        [0, "d"],
        [1, "e"],
      ],
      "k",
    ),
    pendingAppend(),
    0,
  );
  const firsts = () => shape(batcher.take().messages).map(([partition, , texts]) => `${partition}${String(texts)[0]}`);
  expect(firsts()).toEqual(["0a", "1c", "1e"]);
  expect(firsts()).toEqual(["0b", "0d"]);
  expect(batcher.waiting()).toEqual({ bytes: 0, oldestMs: undefined });
});

test("what waited too long can be taken out without the rest", () => {
  const batcher = createFrameBatcher(limits);
  batcher.append(request("one", [[0, "a"]]), pendingAppend(), 10);
  batcher.append(request("two", [[0, "b"]]), pendingAppend(), 20);
  expect(shape(batcher.discard(15))).toEqual([[0, "a", "a"]]);
  expect(batcher.waiting().oldestMs).toBe(20);
  expect(batcher.discard()).toHaveLength(1);
  expect(batcher.waiting().bytes).toBe(0);
});

const encode = ({ texts }: FrameContent) => Buffer.from(JSON.stringify(texts));

function textsOf({ value, texts }: FrameContent): string[] {
  return value === undefined ? texts : JSON.parse(value.toString());
}

test("frames that a send leaves waiting become bytes, oldest first and no more than are asked for, and take no more records", () => {
  const batcher = createFrameBatcher({ ...limits, sendBytesMax: 100 });
  const waiting = [pendingAppend(), pendingAppend(), pendingAppend()];
  for (const [partition, at] of waiting.entries()) batcher.append(request("acc", [[partition, "a"]]), at, partition);
  expect(batcher.take().messages).toHaveLength(1);
  batcher.encodeWaiting(encode, 1);
  batcher.append(request("acc", [[1, "b"]]), pendingAppend(), 4);
  batcher.append(request("acc", [[2, "c"]]), pendingAppend(), 4);
  const left = [batcher.take(), batcher.take(), batcher.take(), batcher.take()];
  const frames = left.flatMap(({ messages }) => messages.map(({ content }) => content));
  expect(left.map(({ records }) => records)).toEqual([1, 1, 1, 1]);
  expect(frames.map((content) => content.kind === "frame" && [content.value !== undefined, textsOf(content)])).toEqual([
    [true, ["a"]],
    [false, ["b"]],
    [false, ["a"]],
    [false, ["c"]],
  ]);
});

/** A log in memory: writes what a send holds and answers the offsets. */
function writeAll(log: Map<number, string[][]>, messages: readonly PendingMessage[]): void {
  for (const { partition, content, parts } of messages) {
    const written = log.get(partition) ?? [];
    log.set(partition, written);
    written.push(content.kind === "frame" ? textsOf(content) : []);
    for (const part of parts) {
      part.append.written({ topic: "t", partition }, { ...part, offset: written.length - 1, timeMs: undefined });
    }
  }
}

test("law: in any cuts, each request's placements enclose exactly as many records as it sent, its own first and last", () => {
  const records = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
  const account = fc.constantFrom("one", "two");
  const encodedBytes = fc.option(fc.nat(500), { nil: undefined });
  const plan = fc.array(fc.record({ account, records, sends: fc.boolean(), encodedBytes }), { maxLength: 15 });
  fc.assert(
    fc.property(plan, (requests) => {
      const batcher = createFrameBatcher({ ...limits, sendBytesMax: 400, partitionBytesMax: 300 });
      const log = new Map<number, string[][]>();
      const answers = new Map<number, readonly Placement[]>();
      requests.forEach((planned, index) => {
        const { records: partitions, sends } = planned;
        const append = request(
          planned.account,
          partitions.map((partition, position) => [partition, `${index}:${position},`]),
        );
        batcher.append(
          append,
          createPendingAppend(
            (placements) => answers.set(index, placements),
            () => undefined,
          ),
          0,
        );
        if (sends) writeAll(log, batcher.take().messages);
        if (planned.encodedBytes !== undefined) batcher.encodeWaiting(encode, planned.encodedBytes);
      });
      while (batcher.waiting().bytes > 0) writeAll(log, batcher.take().messages);
      requests.forEach(({ records: partitions }, index) => {
        const placements = answers.get(index) ?? [];
        expect(placements.map(({ partition }) => partition).toSorted()).toEqual([...new Set(partitions)].toSorted());
        for (const {
          partition,
          firstOffset,
          firstPlace: firstPosition,
          lastOffset,
          lastPlace: lastPosition,
          count,
        } of placements) {
          const own = partitions.flatMap((at, place) => (at === partition ? [`${index}:${place},`] : []));
          const frames = log.get(partition) ?? [];
          expect(count).toBe(own.length);
          expect(frames[firstOffset]?.[firstPosition]).toBe(own[0]);
          expect(frames[lastOffset]?.[lastPosition]).toBe(own[own.length - 1]);
        }
      });
    }),
  );
});

test("an account with much queued delays another by its turn alone, in each send", () => {
  const batcher = createFrameBatcher({
    frameRecordsMax: 10,
    frameBytesMax: 20_000,
    sendBytesMax: 600_000,
    partitionBytesMax: 400_000,
  });
  const large = "x".repeat(1_000);
  for (let n = 0; n < 4_000; n++) batcher.append(request("hostile", [[n % 4, large]]), pendingAppend(), 0);
  batcher.append(request("honest", [[0, "a"]]), pendingAppend(), 1);
  batcher.append(request("other", [[3, "b"]]), pendingAppend(), 1);
  const first = batcher.take().messages.flatMap(({ content }) => (content.kind === "frame" ? [content] : []));
  expect(first.filter(({ account }) => account !== "hostile").map(({ texts }) => texts)).toEqual([["a"], ["b"]]);
  expect(batcher.share("hostile").bytes).toBeGreaterThan(3_000_000);
  expect(batcher.share("honest")).toEqual({ bytes: 0, accounts: 1 });
});

test("accounts that all have much queued are sent alike, in however many partitions each of them writes", () => {
  const batcher = createFrameBatcher({
    frameRecordsMax: 10,
    frameBytesMax: 20_000,
    sendBytesMax: 2_000_000,
    partitionBytesMax: 1_000_000,
  });
  const large = "x".repeat(1_000);
  for (let n = 0; n < 6_000; n++) {
    batcher.append(request("wide", [[n % 8, large]]), pendingAppend(), 0);
    batcher.append(request("narrow", [[5, large]]), pendingAppend(), 0);
  }
  const sent = new Map<string, number>();
  for (let send = 0; send < 3; send++) {
    for (const { content, bytes } of batcher.take().messages) {
      if (content.kind === "frame") sent.set(content.account, (sent.get(content.account) ?? 0) + bytes);
    }
  }
  const ratio = (sent.get("wide") ?? 0) / (sent.get("narrow") ?? 1);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.7);
});
