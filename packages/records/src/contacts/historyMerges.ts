import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { viewContact } from "../views/contactView.ts";
import { listPath, type Write, type WritesBelow } from "./historyWrites.ts";
import { mergeChanges } from "./mergeChanges.ts";
import { fromMergeRow, joinedAtOf } from "./mergeDocument.ts";
import type { StoredMerge } from "./storedMerge.ts";

const mergesStatement = {
  name: "merges_of_contact",
  text: `SELECT m.survivor, m.merged, s.cid AS "survivorCid", d.cid AS "mergedCid", m.version, m.by_record AS "byRecord",
      m.undone_version AS "undoneVersion", m.undone_by AS "undoneBy", m.before::text AS before
    FROM (
      SELECT * FROM merges WHERE account = $1 AND survivor = $2 UNION ALL SELECT * FROM merges WHERE account = $1 AND merged = $2
    ) m JOIN contacts s ON s.account = m.account AND s.number = m.survivor JOIN contacts d ON d.account = m.account AND d.number = m.merged
    ORDER BY m.version DESC, m.merged LIMIT $3`,
};

const MERGES_MAX = 1_000;

/** A merge or the end of one, as the history of one of its contacts shows it. */
export interface MergeEntry {
  readonly version: string;
  readonly kind: "merge" | "split";
  readonly id: string;
  readonly changes: readonly Write[];
  /** Writes of the other contact that came with it: in the history they stand under their own version, too. */
  readonly carried: readonly Write[];
}

/** All merges of the contact and what undid them, in the order in which they were made. */
export async function readMergeEntries(
  session: Session,
  account: Account,
  { contact, clears }: Pick<WritesBelow, "contact" | "clears">,
): Promise<MergeEntry[]> {
  const rows = await readMergesOfContact(session, account.number, { contact, rowsMax: MERGES_MAX });
  const merges = rows.map((row) => ({ row, merge: fromMergeRow(account.number, row, clears) }));
  return merges
    .sort(byTurn)
    .flatMap((created) => (created.row.survivor === contact ? ofSurvivor(created, account) : ofMerged(created.row)));
}

interface CreatedMerge {
  readonly row: MergeOfContact;
  readonly merge: StoredMerge;
}

function byTurn({ merge: a }: CreatedMerge, { merge: b }: CreatedMerge): number {
  if (a.version !== b.version) return a.version < b.version ? -1 : 1;
  return a.place - b.place;
}

function ofSurvivor({ row, merge }: CreatedMerge, account: Account): MergeEntry[] {
  const { version } = merge;
  const path = `contacts.${row.mergedCid}`;
  const { before } = merge;
  const { identifiers, channels, attributes } = viewContact(before.merged, account);
  const other = { cID: row.mergedCid, identifiers: { ...identifiers }, attributes: { ...attributes } };
  // Text and back: what has no value has no member.
  const from = JSON.parse(JSON.stringify({ ...other, channels }));
  const brought = [...fieldsBrought(merge, account), ...listsBrought(merge)];
  const changes = [...brought.map((write) => ({ ...write, version })), { version, path, from, to: null }];
  const carried = brought.filter((write) => write.version !== version);
  const built: MergeEntry = { version, kind: "merge", id: row.byRecord, changes, carried };
  return [built, ...ended(row, { path, from: null, to: row.mergedCid })];
}

/** Joining changes the contacts it is given, so they are read once more. */
function fieldsBrought({ before, byRecord: recordId, version }: StoredMerge, account: Account): Write[] {
  const { survivor, merged, explicit } = before;
  const changes = mergeChanges({ survivor, merged, explicit }, { account, recordId, version });
  return changes.map((change) => ({ version, ...change }));
}

function listsBrought({ before }: StoredMerge): Write[] {
  return before.memberships.flatMap((theirs) => {
    const own = before.ownMemberships.find(({ list }) => list === theirs.list);
    if (own !== undefined && own.version >= theirs.version) return [];
    const [from, to] = [joinedAtOf(own), joinedAtOf(theirs)];
    return from === to ? [] : [{ version: theirs.version, path: listPath(theirs.list), from, to }];
  });
}

/** Returns the entries that the merged contact itself shows: its merge, and the split when it lives again. */
function ofMerged(row: MergeOfContact): MergeEntry[] {
  const { version, byRecord: id, survivorCid } = row;
  const gone: Write = { version, path: MERGED_INTO, from: null, to: survivorCid };
  return [
    { version, kind: "merge", id, changes: [gone], carried: [] },
    ...ended(row, { path: MERGED_INTO, from: survivorCid, to: null }),
  ];
}

const MERGED_INTO = "mergedInto";

function ended({ undoneVersion: version, undoneBy: id }: MergeOfContact, change: Omit<Write, "version">): MergeEntry[] {
  if (version === null || id === null) return [];
  return [{ version, kind: "split", id, changes: [{ version, ...change }], carried: [] }];
}

/** A merge as it is shown: `before` is the text of its document. */
interface MergeOfContact {
  readonly survivor: number;
  readonly merged: number;
  readonly survivorCid: string;
  readonly mergedCid: string;
  readonly version: string;
  readonly byRecord: string;
  /** Null while it stands. */
  readonly undoneVersion: string | null;
  readonly undoneBy: string | null;
  readonly before: string;
}

/** Merges a contact took part in, those that were undone too, the latest first. */
function readMergesOfContact(
  session: Session,
  account: number,
  { contact, rowsMax }: { readonly contact: number; readonly rowsMax: number },
): Promise<MergeOfContact[]> {
  return session.query(mergesStatement, [account, contact, rowsMax]);
}
