import fc from "fast-check";
import { expect, test } from "vitest";
import { RowBinary } from "./rowBinary.ts";

/** The same values by the calls of `Buffer`. */
function byBuffer(write: (buffer: Buffer) => number): Buffer {
  const buffer = Buffer.alloc(64);
  return buffer.subarray(0, write(buffer));
}

function written(write: (rows: RowBinary) => void): Buffer {
  const rows = new RowBinary(1);
  write(rows);
  return rows.body();
}

test("numbers have the bytes that Buffer writes", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.maxSafeInteger(),
      fc.double(),
      (small, middle, large, double) => {
        expect(written((rows) => rows.uint16(small))).toEqual(byBuffer((to) => to.writeUInt16LE(small)));
        expect(written((rows) => rows.uint32(middle))).toEqual(byBuffer((to) => to.writeUInt32LE(middle)));
        expect(written((rows) => rows.int64(large))).toEqual(byBuffer((to) => to.writeBigInt64LE(BigInt(large))));
        expect(written((rows) => rows.float64(double))).toEqual(byBuffer((to) => to.writeDoubleLE(double)));
      },
    ),
  );
});

test("a number that its column would show as another one is refused", () => {
  const rows = new RowBinary();
  for (const wrong of [-1, 0x1_0000, Number.NaN]) expect(() => rows.uint16(wrong)).toThrow(RangeError);
  for (const wrong of [-1, 0x1_0000_0000, Number.NaN]) expect(() => rows.uint32(wrong)).toThrow(RangeError);
  for (const wrong of [2 ** 63, -(2 ** 64), Number.NaN]) expect(() => rows.int64(wrong)).toThrow(RangeError);
  expect(rows.bytes()).toBe(0);
});
