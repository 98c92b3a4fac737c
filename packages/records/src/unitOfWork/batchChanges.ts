import type { Version } from "@headwater/contracts";
import type { FormerIdentifier } from "../contacts/formerHolders.ts";
import type { IdentifierMap } from "../contacts/identifierMap.ts";
import type { Contact } from "../contacts/model.ts";
import type { MergeRecord, SplitRecord } from "../contacts/storedMerge.ts";
import type { SuppressionChanged } from "../fold/foldEvents.ts";
import type { Membership } from "../lists/list.ts";
import type { Members } from "../members/members.ts";
import type { CartsAndSupplementsChanges } from "./cartsAndSupplements.ts";
import type { ListClear } from "./listChanges.ts";
import type { OrderChange } from "./orderChanges.ts";

export interface ContactChange {
  readonly contact: Contact;
  /** New values by path, with the version of the write; null = removed. Empty when only versions moved. */
  fields: Members;
  isNew: boolean;
}

export interface MembershipChange {
  readonly account: number;
  readonly membership: Membership;
  /** Set by a change event; without one only versions moved. */
  readonly visible: boolean;
  /** The version it has in the history when it is not its own: a split puts old ones back. */
  readonly emittedAs?: Version | undefined;
  /** No record whose change is emitted may start an automation. Moves by a merge start none either. */
  readonly suppressTriggers: boolean;
}

/** A contact that is gone for good. */
export interface ErasureChange {
  readonly account: number;
  readonly contact: Contact;
  readonly version: Version;
}

/** Two contacts of one account: who means the first by an identifier of before means the second. */
export interface FormersInput {
  readonly account: number;
  readonly from: number;
  readonly to: number;
}

/** Suppression that a record of the account began or ended. */
export interface SuppressionChange extends SuppressionChanged {
  readonly account: number;
}

/** Changes of a batch, to be stored in one transaction. */
export interface BatchChanges extends CartsAndSupplementsChanges {
  readonly contacts: ReadonlyMap<number, ContactChange>;
  /** Over `LoadedRows.owners`: who is found now; null = nobody. */
  readonly owners: IdentifierMap<number | null>;
  /** Identifiers that were taken from contacts. */
  readonly formerIdentifiers: readonly FormerIdentifier[];
  readonly formersGiven: readonly FormersInput[];
  readonly merges: readonly MergeRecord[];
  readonly splits: readonly SplitRecord[];
  readonly erasures: readonly ErasureChange[];
  /** Changes in the order of the records. */
  readonly suppressions: readonly SuppressionChange[];
  readonly memberships: ReadonlyMap<string, MembershipChange>;
  readonly orders: ReadonlyMap<string, OrderChange>;
  /** Clears of lists, in the order of the records. */
  readonly clears: readonly ListClear[];
  readonly activityKeys: ReadonlySet<string>;
}
