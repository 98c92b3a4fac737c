import { expect, test } from "vitest";
import { AttachmentMemory } from "./attachmentMemory.ts";

const attachment = (bytes: number) => [{ filename: "a", contentType: "text/plain", content: "x".repeat(bytes) }];

/** Takes as many attachments of ten bytes as it gets. */
function takeAll(memory: AttachmentMemory, account: number): { readonly taken: number; release(): void } {
  const hold = memory.open(account);
  let taken = 0;
  while (hold.take(attachment(10))) taken += 1;
  return { taken, release: () => hold.release() };
}

test("an account has half of the memory alone, and whatever it holds, another one has some", () => {
  const memory = new AttachmentMemory(3 * 400);
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

test("messages without attachments take none, and a message as large as the memory goes alone", () => {
  const memory = new AttachmentMemory(3 * 10);
  const hold = memory.open(1);
  expect(hold.take(attachment(10))).toBe(true);
  expect(hold.take(attachment(1))).toBe(false);
  expect(hold.take([])).toBe(true);
  hold.release();
  expect(memory.open(2).take(attachment(11))).toBe(false);
  expect(memory.open(2).take(attachment(10))).toBe(true);
});
