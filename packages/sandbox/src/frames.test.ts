import { Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, FrameReader, FrameTooLarge, writeFrame } from "./frames.ts";

const BYTES_MAX = 64 * 1024;
const chunks = fc.array(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 4 },
);
const frames = fc.record({ value: fc.jsonValue(), attached: chunks });

interface Sent {
  readonly value: unknown;
  readonly attached?: readonly Buffer[];
}

function bytesOf(...sent: readonly Sent[]): Buffer {
  const written: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  for (const { value, attached } of sent) writeFrame(stream, encodeFrame(value, attached));
  return Buffer.concat(written);
}

test("values and the bytes after them come out as they went in, however the stream is cut", () => {
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 4 }), fc.integer({ min: 1, max: 3_000 }), (sent, cut) => {
      const bytes = bytesOf(...sent);
      const reader = new FrameReader<unknown>(2 ** 30);
      const read = [];
      for (let from = 0; from < bytes.length; from += cut) read.push(...reader.read(bytes.subarray(from, from + cut)));
      const whole = ({ value, attached }: (typeof sent)[number]) => ({ value, bytes: Buffer.concat(attached) });
      expect(read.map(({ frame, attached }) => ({ value: frame, bytes: Buffer.concat(attached) }))).toEqual(
        sent.map(whole),
      );
    }),
  );
});

test("bytes travel without a copy", () => {
  const bytes = bytesOf({ value: null, attached: [Buffer.alloc(10_000, "x")] });
  const [read] = new FrameReader<null>(BYTES_MAX).read(bytes);
  expect(read?.attached[0]?.buffer).toBe(bytes.buffer);
});

test("a frame that announces too much is refused by its lengths alone", () => {
  const reader = () => new FrameReader<unknown>(BYTES_MAX);
  const long: Sent[] = [{ value: null, attached: [Buffer.alloc(BYTES_MAX)] }, { value: "x".repeat(BYTES_MAX) }];
  for (const sent of long) expect(() => reader().read(bytesOf(sent).subarray(0, 8))).toThrow(FrameTooLarge);
  expect(reader().read(bytesOf({ value: "x".repeat(BYTES_MAX - 100) }))).toHaveLength(1);
});
