import fc from "fast-check";

/** Shape of hostile texts for one entry point. */
export interface TextShape {
  /** Texts that a parser may count, nest or compare: each is repeated, doubled and nested up to the bound. */
  readonly units: readonly [string, ...string[]];
  /** Texts that open and close something. */
  readonly pairs?: readonly (readonly [open: string, close: string])[];
  /** Limit of the entry point in bytes; texts end below, at and just past it. */
  readonly bytesMax: number;
}

/** Generates texts of 1 byte to just past the bound, in sizes of every order of magnitude. */
export function hostileText({ units, pairs = [], bytesMax }: TextShape): fc.Arbitrary<string> {
  const doublings = Math.floor(Math.log2(bytesMax));
  const bytes = fc.oneof(
    fc.integer({ min: 0, max: doublings }).map((power) => 2 ** power),
    fc.constantFrom(bytesMax - 1, bytesMax, bytesMax + 1),
    fc.integer({ min: 1, max: bytesMax }),
  );
  const repeated = fc
    .record({ unit: fc.constantFrom(...units), bytes })
    .map(({ unit, bytes: size }) => repeat(unit, size));
  const mixed = fc
    .record({ all: fc.array(fc.constantFrom(...units), { minLength: 2, maxLength: 5 }), bytes })
    .map(({ all, bytes: size }) => repeat(all.join(""), size));
  if (pairs.length === 0) return fc.oneof(repeated, mixed);
  const nested = fc.record({ pair: fc.constantFrom(...pairs), bytes }).map(({ pair: [open, close], bytes: size }) => {
    const depth = Math.max(1, Math.floor(size / (open.length + close.length)));
    return open.repeat(depth) + close.repeat(depth);
  });
  return fc.oneof(repeated, mixed, nested);
}

function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / Math.max(1, unit.length))).slice(0, Math.max(1, bytes));
}
