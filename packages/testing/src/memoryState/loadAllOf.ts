import type { MergeRow } from "@headwater/records/contacts/storedMerge";
import type { Membership } from "@headwater/records/lists/list";
import type { LoadedRows, StateRead } from "@headwater/records/unitOfWork/loadedRows";

interface StoredRows {
  readonly merges: readonly MergeRow[];
  readonly memberships: ReadonlyMap<string, Membership>;
}

/** Loads all memberships of a contact, or all merges that it survived. */
export function loadAllOf(
  stored: StoredRows,
  rows: LoadedRows,
  read: Extract<StateRead, { kind: "membershipsOf" | "mergesOf" }>,
): void {
  if (read.kind === "mergesOf") {
    rows.merges.set(read.survivor, stored.merges.filter(({ survivor }) => survivor === read.survivor).reverse());
    return;
  }
  const { contact } = read;
  rows.membershipsOf.set(
    contact,
    [...stored.memberships.values()].filter((one) => one.contact === contact),
  );
}
