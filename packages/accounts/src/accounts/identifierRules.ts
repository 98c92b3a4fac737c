import { isDeepStrictEqual } from "node:util";
import type { IdentifierName } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";

/**
 * Returns what is wrong with new identifier names. Once an account has contacts, its names are only added to, at the end: values are stored
 * in the form their name had, and the order of trial decides on which partition a contact's records are.
 */
export function wrongIdentifiers(
  before: readonly IdentifierName[],
  after: readonly IdentifierName[],
  { hasContacts }: { readonly hasContacts: boolean },
): ErrorDetail[] {
  const names = after.map(({ name }) => name);
  const twice = names.flatMap((name, place) => (names.indexOf(name) < place ? [wrong(place, NAMED_TWICE)] : []));
  if (!hasContacts) return twice;
  const changed = before.flatMap((entry, place) =>
    isDeepStrictEqual(entry, after[place]) ? [] : [wrong(place, STAYS)],
  );
  return [...twice, ...changed];
}

const NAMED_TWICE = { code: "bad_value", message: "The name is a duplicate." } as const;
const STAYS = {
  code: "not_allowed",
  message: "The account has contacts, so identifiers can only be appended; none can be removed, moved or changed.",
} as const;

function wrong(place: number, what: Omit<ErrorDetail, "path">): ErrorDetail {
  return { path: `/identifiers/${place}`, ...what };
}
