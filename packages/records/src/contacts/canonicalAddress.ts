import { canonicalIdentifier, isAddressName, type Json } from "@headwater/contracts";
import type { Origin } from "./contactIndex.ts";

/** Returns an attribute as it is shown: an address in its canonical form, whichever member brought it, all else as it came. */
export function valueView(name: string, value: Json, origin: Pick<Origin, "account">): Json {
  return typeof value === "string" ? addressView(name, value, origin) : value;
}

/** Returns an address in its canonical form; what has no such form stays as it came. */
export function addressView(name: string, value: string, origin: Pick<Origin, "account">): string {
  return isAddressName(origin.account.settings, name) ? (canonicalOf(name, value, origin) ?? value) : value;
}

/** @returns undefined for a value that cannot be an identifier: it is an attribute only. */
export function canonicalOf(name: string, value: unknown, origin: Pick<Origin, "account">): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return canonicalIdentifier(origin.account.settings, name, value);
}
