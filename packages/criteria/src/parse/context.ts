import type { FieldType } from "../criteria.ts";
import type { ListReference } from "../leaves/list/list.ts";
import type { SupplementReference } from "../leaves/supplement/supplement.ts";

/** Names that the account knows: criteria are checked against them, so that a misspelled name is an error and never a count of 0. */
export interface CriteriaContext {
  /** Every field path the account has (see `knownFields`) with its declared type; `auto` where none was declared. */
  readonly fields: ReadonlyMap<string, FieldType>;
  readonly lists: readonly ListReference[];
  /** The last names of lists that criteria name by id and that are not there any more. */
  readonly goneLists?: ReadonlyMap<number, string>;
  /** Versions at which attributes were deleted, by path, as lists have their clears. */
  readonly clears?: ReadonlyMap<string, readonly string[]>;
  /** Saved audiences by key and by id: those that the criteria reach. */
  readonly audiences?: ReadonlyMap<string, SavedAudience>;
  /** The saved audience whose criteria these are: whatever refers to it makes a cycle. */
  readonly self?: Pick<SavedAudience, "id" | "key">;
  /** A parameter next to the criteria names the audience that they refer to: what can be saved can be asked for so. */
  readonly namesAudience?: boolean;
  /** Supplement tables by key. */
  readonly supplements?: ReadonlyMap<string, SupplementReference>;
  /** Coordinates by `postalLocation`; undefined when the account has no table of them. */
  readonly postalCodes?: ReadonlyMap<string, Coordinates>;
  /** The stored form of an identifier's value, undefined when it has none. Without it values are compared as given. */
  readonly canonicalIdentifier?: (name: string, value: string) => string | undefined;
  /** Identifiers whose stored form is in lower case: emails. */
  readonly lowerCaseIdentifiers?: ReadonlySet<string>;
}

export interface SavedAudience {
  readonly id: string;
  readonly key: string;
  readonly criteria: unknown;
}

export interface Coordinates {
  readonly lat: number;
  readonly lon: number;
}

/** A postal code without its spaces and its case, with its country. */
export function postalLocation({
  country,
  postalCode,
}: {
  readonly country: string;
  readonly postalCode: string;
}): string {
  return `${country} ${postalCode}`
    .replaceAll(/\s+/g, (_, at: number) => (at === country.length ? " " : ""))
    .toUpperCase();
}
