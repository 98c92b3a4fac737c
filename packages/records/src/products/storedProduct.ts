import {
  checkFreeForm,
  formatDecimal,
  type Json,
  type ProductBody,
  parseDecimal,
  parseTime,
  toJson,
  toTimestamp,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";

type Optional<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined };
export type DeclaredMembers = Optional<Omit<ProductBody, "productID">>;

/** Members as they are stored: decimals as the text of their digits, times in UTC, members of `null` left out of what has them. */
export function toStored(
  { price, sale, variants, ...others }: DeclaredMembers,
  timezone: string,
): Readonly<Record<string, Json | undefined>> {
  const plain = Object.entries(others).map(([name, value]) => [name, value === undefined ? undefined : toJson(value)]);
  return {
    ...Object.fromEntries(plain),
    price: price === undefined ? undefined : decimal(price),
    sale: sale && withoutNull({ ...sale, price: decimal(sale.price), start: at(sale.start), end: at(sale.end) }),
    variants: variants?.map((variant) => withoutNull({ ...variant, attr: toJson(variant.attr) })),
    ...(sale === null && { sale }),
    ...(variants === null && { variants }),
  };

  function at(text: string | null | undefined): Json {
    const time = typeof text === "string" ? parseTime(text, timezone) : undefined;
    return time === undefined ? null : toTimestamp(time);
  }
}

function decimal(value: string | number | null | undefined): Json {
  const parsed = value === null || value === undefined ? undefined : parseDecimal(value);
  return parsed === undefined ? null : formatDecimal(parsed);
}

function withoutNull(members: Readonly<Record<string, Json | undefined>>): Json {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])),
  );
}

/** Finds free-form members with names or a nesting that no record may have. `at` is the pointer to the product. */
export function checkProduct({ properties, variants }: DeclaredMembers, at: string): ErrorDetail[] {
  return [
    ...checkFreeForm({ properties }, at),
    ...(variants ?? []).flatMap(({ attr }, index) => checkFreeForm({ attr }, `${at}/variants/${index}`)),
  ];
}

/** Throws 422 for free-form members with names or a nesting that no record may have. `at` is the pointer to the product. */
export function expectShallow(products: readonly { readonly at: string; readonly members: DeclaredMembers }[]): void {
  const details = products.flatMap(({ at, members }) => checkProduct(members, at));
  const [first] = details;
  if (first !== undefined) throw refusal("VALIDATION_ERROR", first.message, { details });
}
