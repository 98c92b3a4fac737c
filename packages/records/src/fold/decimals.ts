import { formatDecimal, type Json, parseDecimal, type TenThousandths } from "@headwater/contracts";

/** A stored decimal: a number or text as it came. */
export function decimalOf(value: Json): TenThousandths | undefined {
  return typeof value === "string" || typeof value === "number" ? parseDecimal(value) : undefined;
}

/** A stored decimal as the text of its digits; what is none stays as it is. */
export function exact(value: Json): Json {
  const decimal = decimalOf(value);
  return decimal === undefined ? value : formatDecimal(decimal);
}
