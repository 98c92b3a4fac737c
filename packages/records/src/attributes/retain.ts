import { type Account, type AttributeType, castAttribute, isObject, type Json } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Contact } from "../contacts/model.ts";
import { addRetainedValues, readRetained, toRule } from "./postgres.ts";

/**
 * Counts what attributes with `retainOnDestroy` keep of a contact that is erased, in the transaction of its erasure. What an identifier
 * of the account holds is never kept.
 */
export async function retainValues(transaction: Transaction, account: Account, contact: Contact): Promise<void> {
  const identifiers = new Set(account.settings.identifiers.map(({ name }) => name));
  const values = (await readRetained(transaction, account.number)).flatMap((definition) => {
    const { key, type } = definition;
    const stored = contact.attributes.get(key)?.value ?? null;
    if (stored === null || identifiers.has(key)) return [];
    const rule = { ...toRule(definition), validators: undefined };
    const cast = castAttribute(rule, stored, account.settings.timezone);
    if (cast.kind !== "value" || cast.value === null) return [];
    const existing =
      definition.retainOnDestroy === "unchanged" ? unchanged(cast.value, type) : anonymized(cast.value, type);
    return [{ key, value: JSON.stringify(existing) }];
  });
  await addRetainedValues(transaction, account.number, values);
}

/** Longer ones are texts about a person and no value that many have. */
const VALUE_BYTES_MAX = 1_024;

function unchanged(value: Json, type: AttributeType): Json {
  return Buffer.byteLength(JSON.stringify(value)) <= VALUE_BYTES_MAX ? value : anonymized(value, type);
}

/**
 * The group of many that a value belongs to: a number its power of ten, a date its year, a geo value its country, an array its length; a
 * boolean is one of two anyway. Of all else only that there was a value: `"*"`.
 */
export function anonymized(value: Json, type: AttributeType): Json {
  switch (type) {
    case "number":
      return typeof value === "number" ? powerOfTen(value) : ANY;
    case "boolean":
      return value;
    case "date":
      return typeof value === "string" ? value.slice(0, YEAR_DIGITS) : ANY;
    case "geo":
      return isObject(value) ? countryOf(value) : ANY;
    case "array":
      return Array.isArray(value) ? value.length : ANY;
    case "string":
    case "auto":
      return ANY;
  }
}

const ANY = "*";
const YEAR_DIGITS = 4;

/** 512 is 100, -3 is -1, and what is less than 1 is 0. */
function powerOfTen(value: number): number {
  const size = Math.abs(value);
  return size < 1 ? 0 : Math.sign(value) * 10 ** (Math.trunc(size).toExponential().split("e+").map(Number)[1] ?? 0);
}

const COUNTRY_CODE = /^[A-Z]{2,3}$/i;

/** Its code; a name is free text, and may be anything. */
function countryOf({ countryISO, country }: { readonly [name: string]: Json }): Json {
  const code = [countryISO, country].find((text) => typeof text === "string" && COUNTRY_CODE.test(text));
  return typeof code === "string" ? code.toUpperCase() : ANY;
}
