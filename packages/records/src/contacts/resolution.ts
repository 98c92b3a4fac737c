import type { RejectionCode, WarningCode } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import type { FoldResult } from "../fold/foldEvents.ts";
import type { RefusedAttributes } from "./castAttributes.ts";
import type { BoundPassed } from "./contactBounds.ts";
import { MERGES_PER_RECORD_MAX } from "./merge.ts";
import type { Contact } from "./model.ts";
import type { WriteTally } from "./writing.ts";

export type Resolution =
  | (FoldResult & {
      readonly kind: "contact";
      readonly contact: Contact;
      /** Something of how the contact is known changed: it was created, an identifier attached, contacts merged. */
      readonly identityChanged: boolean;
      readonly created: boolean;
      readonly tally: WriteTally;
      readonly updateNotAllowed: boolean;
      readonly warnings: ReadonlySet<WarningCode>;
      /** Canonical names of its identifiers that another contact keeps: `MERGE_CONFLICT`, `IDENTITY_CONFLICT`. */
      readonly conflicts: ReadonlySet<string>;
    })
  | { readonly kind: "unknown" }
  /** The record made a merge that a split has undone since: it was applied, and comes again. */
  | { readonly kind: "undone" }
  | {
      readonly kind: "rejected";
      readonly code: RejectionCode;
      readonly path: string;
      readonly message: string;
      /** Each wrong attribute with its own reason. */
      readonly reasons?: RefusedAttributes["reasons"];
    };

export function refusedAttributes({ code, message, reasons }: RefusedAttributes): Resolution {
  const path = reasons.length === 1 ? `/attributes/${pointerStep(reasons[0]?.name ?? "")}` : "/attributes";
  return { kind: "rejected", code, path, message, reasons };
}

export function lacking(names: readonly string[]): Resolution {
  const message = `A contact cannot be created without its required attributes: ${names.join(", ")}.`;
  const reasons = names.map((name) => ({ name, message: `\`${name}\` is required.` }));
  return { kind: "rejected", code: "VALIDATION_ERROR", path: "/attributes", message, reasons };
}

export function invalidIdentifier(name: string): Resolution {
  const message = `The identifier ${JSON.stringify(name)} has no canonical form.`;
  return { kind: "rejected", code: "VALIDATION_ERROR", path: "/identifiers", message };
}

export function hashesAreOff(): Resolution {
  const message = "The record names its contact by a hash alone, and hashes find no contacts of this account.";
  return { kind: "rejected", code: "HASHED_IDENTITIES_OFF", path: "/identifiers", message };
}

export function tooManyContacts(): Resolution {
  const message = `More than ${MERGES_PER_RECORD_MAX} contacts match the identifiers of this record.`;
  return { kind: "rejected", code: "MERGE_CONFLICT", path: "/identifiers", message };
}

export function beyond(passed: BoundPassed): Resolution {
  return { kind: "rejected", ...passed };
}
