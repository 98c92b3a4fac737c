import { MESSAGE_BYTES_MAX, OUTBOX_POSITION_HEADER } from "@headwater/topics";
import { expect, test } from "vitest";
import { toMessages } from "./toMessages.ts";

const encode = (_topic: string, payload: string) => Buffer.from(payload);

function row(position: number, changes: readonly unknown[], topic = "changes.contacts") {
  return { position, topic, sourcePartition: 3, payload: JSON.stringify({ position, changes }) };
}

const texts = (messages: readonly { readonly value: Buffer }[]) =>
  messages.map(({ value }) => JSON.parse(value.toString()));

test("each row is a message with its transaction and place, in the order of the rows", () => {
  const { messages, poison } = toMessages(encode, [{ ...row(1, [{ a: 1 }]), xid: "77" }, row(2, [{ a: 2 }])]);
  expect(poison).toEqual([]);
  expect(texts(messages)).toEqual([
    { position: 1, changes: [{ a: 1 }] },
    { position: 2, changes: [{ a: 2 }] },
  ]);
  expect(messages.map(({ headers }) => headers)).toEqual([{ [OUTBOX_POSITION_HEADER]: "77/1" }, undefined]);
  expect(new Set(messages.map(({ key }) => key))).toEqual(new Set(["3"]));
});

test("a row that is too large for a message is split into its changes, and keeps its place among the others", () => {
  const big = { text: "x".repeat(MESSAGE_BYTES_MAX - 1_000) };
  const { messages, poison } = toMessages(encode, [row(1, [{ a: 1 }]), row(2, [big, big]), row(3, [{ a: 3 }])]);
  expect(poison).toEqual([]);
  expect(texts(messages).map(({ position }) => position)).toEqual([1, 2, 2, 3]);
});

test("a change that alone is too large is poison, shown by its short members, and its neighbours are published", () => {
  const huge = { account: 1, version: "v", text: "x".repeat(MESSAGE_BYTES_MAX), more: { deep: 1 } };
  const { messages, poison } = toMessages(encode, [row(2, [{ a: 1 }, huge, { a: 2 }])]);
  expect(texts(messages).flatMap(({ changes }) => changes)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(poison).toMatchObject([{ place: 1, value: { account: 1, version: "v" } }]);
  expect(poison[0]?.value).not.toHaveProperty("text");
});

test("a row that nobody can read is poison as a whole", () => {
  const refusing = () => {
    throw new TypeError("no schema takes this");
  };
  const { messages, poison } = toMessages(refusing, [{ ...row(5, []), payload: "not JSON" }]);
  expect(messages).toEqual([]);
  expect(poison).toMatchObject([{ place: -1, value: "not JSON", row: { position: 5 } }]);
});

test("a registry that is away makes nothing poison", () => {
  const away = () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  };
  expect(() => toMessages(away, [row(1, [{ a: 1 }])])).toThrow("connect");
});
