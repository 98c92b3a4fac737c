import type { shapes, WarningCode } from "@headwater/contracts";
import type { FoldResult } from "../fold/foldEvents.ts";
import type { FoldState, List } from "../fold/foldState.ts";
import { listsPassed } from "../lists/listBound.ts";
import { writeMembership } from "../lists/membership.ts";
import type { Origin } from "./contactIndex.ts";
import type { Contact } from "./model.ts";
import type { Resolution } from "./resolution.ts";
import { resolveContact } from "./resolveContact.ts";

/** A write of one contact as a whole: its members and its lists. */
export interface ContactRequest {
  readonly contact: shapes.ContactWrite;
  /** Memberships by name of the list; false: not on it. */
  readonly lists: Readonly<Record<string, boolean>>;
}

export type ContactWritten =
  | (FoldResult & {
      readonly kind: "written";
      readonly contact: Contact;
      readonly warnings: ReadonlySet<WarningCode>;
      /** Canonical names of its identifiers that another contact keeps. */
      readonly conflicts: ReadonlySet<string>;
    })
  | { readonly kind: "unknown" }
  | (Omit<Extract<Resolution, { kind: "rejected" }>, "kind"> & {
      readonly kind: "refused";
      /** Names of the lists that are not there. */
      readonly lists?: readonly string[];
    });

/** The same rules as `upsertContact` and the list operations, for one contact and in one go. */
export function writeContact(
  state: FoldState,
  { contact: write, lists }: ContactRequest,
  origin: Origin,
): ContactWritten {
  const found = resolveContact(state, write, origin);
  if (found.kind === "unknown") return found;
  if (found.kind === "rejected") return { ...found, kind: "refused" };
  if (found.kind === "undone") throw new Error("a write of /v2 does not come again");
  const { contact, warnings, conflicts } = found;
  const unknown: string[] = [];
  const known: Record<"joins" | "leaves", List[]> = { joins: [], leaves: [] };
  for (const [name, present] of Object.entries(lists)) {
    const list = state.listByName(name);
    if (list !== undefined) known[present ? "joins" : "leaves"].push(list);
    else if (present) unknown.push(name);
  }
  if (unknown.length > 0) return unknownLists(unknown, origin);
  const passed = listsPassed(state, { ...known, contact: contact.number, version: origin.version }, origin.account);
  if (passed !== undefined) return { ...passed, kind: "refused", path: "/lists" };
  const put = (list: List, present: boolean) =>
    writeMembership(state, { list, contact: contact.number, present }, origin).changeEvents;
  const joined = known.joins.flatMap((list) => put(list, true));
  const left = known.leaves.flatMap((list) => put(list, false));
  return { kind: "written", contact, warnings, conflicts, changeEvents: [...found.changeEvents, ...joined, ...left] };
}

/** Refuses lists that are not there: those that may be made on the spot were made before. */
function unknownLists(lists: readonly string[], { account }: Origin): ContactWritten {
  const { strictLists, limits } = account.settings;
  const what = lists.length === 1 ? `List ${JSON.stringify(lists[0])} does` : `${lists.length} of the lists do`;
  const [code, why] = strictLists
    ? (["ACCOUNT_LISTS_NOT_FOUND", "the account accepts only existing lists"] as const)
    : (["ACCOUNT_LISTS_EXCEEDED", `the account already has the maximum of ${limits.listsPerAccount} lists`] as const);
  return { kind: "refused", code, path: "/lists", message: `${what} not exist, and ${why}.`, lists };
}
