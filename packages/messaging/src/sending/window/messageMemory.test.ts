import { expect, test } from "vitest";
import type { OutgoingMail } from "../../frozen/handover.ts";
import { attachmentBytes, composedBytes, MessageMemory } from "./messageMemory.ts";

/** Takes ten bytes as often as it gets them. */
function takeAll(memory: MessageMemory, account: number): { readonly taken: number; release(): void } {
  const hold = memory.open(account);
  let taken = 0;
  while (hold.take(10)) taken += 1;
  return { taken, release: () => hold.release() };
}

test("an account has half of the memory alone, and whatever it holds, another one has some", () => {
  const memory = new MessageMemory(400);
  const first = takeAll(memory, 1);
  expect(first.taken).toBe(20);
  expect(takeAll(memory, 1).taken).toBe(0);
  const second = takeAll(memory, 2);
  expect(second.taken).toBe(10);
  expect(takeAll(memory, 3).taken).toBeGreaterThan(0);
  second.release();
  first.release();
  expect(takeAll(memory, 4).taken).toBeGreaterThan(10);
});

test("nothing takes none, and a message as large as the memory goes alone", () => {
  const memory = new MessageMemory(10);
  const hold = memory.open(1);
  expect(hold.take(10)).toBe(true);
  expect(hold.take(1)).toBe(false);
  expect(hold.take(0)).toBe(true);
  hold.release();
  expect(memory.open(2).take(11)).toBe(false);
  expect(memory.open(2).take(10)).toBe(true);
});

test("attachments count three times, and once only when the message is composed", () => {
  const attachments = [{ filename: "a", contentType: "text/plain", content: "x".repeat(10) }];
  expect([attachmentBytes(attachments), attachmentBytes([])]).toEqual([30, 0]);
  const mail: OutgoingMail = {
    mcId: "1",
    channel: "email",
    classification: "promotional",
    address: "a@example.com",
    copies: [],
    ...{ returnPath: "", headers: {}, content: { "text/html": "<p>ü</p>", "text/plain": "ü" } },
  };
  expect(composedBytes({ ...mail, raw: Buffer.alloc(100) }, attachments)).toBe(2 * 9 + 90);
  expect(composedBytes(mail, attachments)).toBe(2 * 9);
});
