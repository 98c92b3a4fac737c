import type { Membership } from "@headwater/domain";
import type { MergeRow } from "@headwater/domain/contact";
import type { LoadedRows, StateRead } from "@headwater/projection";

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
