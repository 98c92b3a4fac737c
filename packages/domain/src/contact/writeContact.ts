import type { shapes, WarningCode } from "@headwater/contracts";
import type { FoldResult } from "../foldEvents.ts";
import type { FoldState, List } from "../foldState.ts";
import { listsPassed } from "../list/listBound.ts";
import { writeMembership } from "../list/membership.ts";
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
    })
  | { readonly kind: "unknown" }
  | (Omit<Extract<Resolution, { kind: "rejected" }>, "kind"> & { readonly kind: "refused" });

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
  const { contact, warnings } = found;
  const known: Record<"joins" | "leaves", List[]> = { joins: [], leaves: [] };
  for (const [name, present] of Object.entries(lists)) {
    const list = state.listByName(name);
    if (list !== undefined) known[present ? "joins" : "leaves"].push(list);
    else if (present) return unknownList(name, origin);
  }
  const passed = listsPassed(state, { ...known, contact: contact.number, version: origin.version }, origin.account);
  if (passed !== undefined) return { ...passed, kind: "refused", path: "/lists" };
  const put = (list: List, present: boolean) =>
    writeMembership(state, { list, contact: contact.number, present }, origin).changeEvents;
  const joined = known.joins.flatMap((list) => put(list, true));
  const left = known.leaves.flatMap((list) => put(list, false));
  return { kind: "written", contact, warnings, changeEvents: [...found.changeEvents, ...joined, ...left] };
}

/** Refuses a list that is not there: one that may be made on the spot was made before. */
function unknownList(name: string, { account }: Origin): ContactWritten {
  const { strictLists, limits } = account.settings;
  if (!strictLists) {
    const message = `List ${JSON.stringify(name)} does not exist, and the account already has the maximum of ${limits.listsPerAccount} lists.`;
    return { kind: "refused", code: "ACCOUNT_LISTS_EXCEEDED", path: "/lists", message };
  }
  const message = `List ${JSON.stringify(name)} does not exist, and the account accepts only existing lists.`;
  return { kind: "refused", code: "ACCOUNT_LISTS_NOT_FOUND", path: "/lists", message };
}
