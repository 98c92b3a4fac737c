import type { RejectionCode, SkipCode, WarningCode } from "@headwater/contracts";
import type { Resolution } from "../contacts/resolution.ts";
import { type FoldEvent, type FoldResult, noChangeEvents } from "./foldEvents.ts";

/** Outcome of one record. Receipts and accounting count it; there is no other. */

export type Outcome =
  | {
      readonly kind: "applied";
      readonly warnings: Iterable<WarningCode>;
      readonly contact: number;
      /** Set when the record made what it is about: imports count it as inserted. */
      readonly created?: true;
    }
  | { readonly kind: "skipped"; readonly code: SkipCode; readonly warnings: Iterable<WarningCode> }
  | { readonly kind: "rejected"; readonly code: RejectionCode; readonly path: string; readonly message: string };

/** The outcome of a record with the change events of its fold. */
export type Folded = Outcome & FoldResult;

export function folded(outcome: Outcome, changeEvents: readonly FoldEvent[] = noChangeEvents): Folded {
  return { ...outcome, changeEvents };
}

export const noWarnings: readonly WarningCode[] = [];

export function applied(contact: number, warnings: Iterable<WarningCode> = noWarnings): Outcome {
  return { kind: "applied", warnings, contact };
}

/** The outcome of a record that wrote a contact, an order or a supplement record as a whole. */
export function upserted(contact: number, created: boolean, warnings: Iterable<WarningCode> = noWarnings): Outcome {
  return created ? { kind: "applied", warnings, contact, created } : applied(contact, warnings);
}

export function skipped(code: SkipCode, warnings: Iterable<WarningCode> = noWarnings): Outcome {
  return { kind: "skipped", code, warnings };
}

const CREATES_NONE = "No contact has one of these identifiers, and this record creates none.";
const MAY_CREATE = "No contact has one of these identifiers, and `canBeCreated` is not set.";

/** The runner parks the record first: the contact may be on its way on another partition. */
export function unknownContact(path: string, message = CREATES_NONE): Outcome {
  return { kind: "rejected", code: "CONTACTS_CONTACT_NOT_FOUND", path, message };
}

/** Right of a record to create its contact. */
export interface CreationRight {
  readonly canBeCreated?: boolean | undefined;
}

/**
 * Returns the outcome of a record that meets no contact.
 * @param at pointer to the contact in its item.
 * @param right that of a record whose sender could have given it.
 */
export function unresolved(
  found: Exclude<Resolution, { readonly kind: "contact" }>,
  at: "" | "/contact",
  right: CreationRight = { canBeCreated: true },
): Outcome {
  if (found.kind === "unknown") {
    return unknownContact(`${at}/identifiers`, right.canBeCreated === true ? CREATES_NONE : MAY_CREATE);
  }
  if (found.kind === "undone") return skipped("DUPLICATE");
  return rejected(found.code, `${at}${found.path}`, found.message);
}

export function rejected(code: RejectionCode, path: string, message: string): Outcome {
  return { kind: "rejected", code, path, message };
}
