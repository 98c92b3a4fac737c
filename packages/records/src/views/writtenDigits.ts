import { formatDecimal, type Json, shortDecimal } from "@headwater/contracts";
import type { WriteDecimal } from "../orders/orderView.ts";

/** Writes a decimal's text as its reader wants it; whatever else is given stays as it is. */
export type WriteDigits = (value: Json) => Json;

/** Nearly all decimals are short, and become numbers without a text between. */
export function decimalsBy(writeDigits: WriteDigits): WriteDecimal {
  return (decimal, stored = null) => {
    if (decimal === undefined) return writeDigits(stored);
    return shortDecimal(decimal) ?? writeDigits(formatDecimal(decimal));
  };
}

/** Returns members with the decimals among them written. */
export function withDigits(
  record: { readonly [name: string]: Json },
  names: readonly string[],
  writeDigits: WriteDigits,
): { [name: string]: Json } {
  const written = names.flatMap((name) => {
    const value = record[name];
    return value === undefined ? [] : [[name, writeDigits(value)] as const];
  });
  return { ...record, ...Object.fromEntries(written) };
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Numbers that a double holds digit by digit are numbers; longer ones stay texts. */
export function plainNumber(value: Json): Json {
  if (typeof value !== "string" || !DECIMAL.test(value)) return value;
  const number = Number(value);
  return String(number) === value ? number : value;
}
