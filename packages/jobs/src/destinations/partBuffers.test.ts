import fc from "fast-check";
import { expect, test } from "vitest";
import { PartBuffers } from "./partBuffers.ts";

test("parts hold the bytes that were added, in order, and all but the last are full", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 12 }), (added, partBytes) => {
      const buffers = new PartBuffers(partBytes);
      const parts: number[][] = [];
      for (const chunk of added)
        for (let rest: Uint8Array = chunk; rest.length > 0; ) {
          rest = buffers.add(rest);
          if (buffers.isFull) parts.push([...buffers.take()]);
        }
      const last = [...buffers.take()];
      expect([...parts.flat(), ...last]).toEqual(added.flatMap((chunk) => [...chunk]));
      expect(parts.every((part) => part.length === partBytes)).toBe(true);
      expect(last.length).toBeLessThan(partBytes);
    }),
  );
});

test("a part stays as it is while the next one is buffered", () => {
  const buffers = new PartBuffers(3);
  buffers.add(Buffer.from("abc"));
  const sent = buffers.take();
  buffers.add(Buffer.from("def"));
  expect(sent.toString()).toBe("abc");
  expect(buffers.take().toString()).toBe("def");
});
