import type { Account, ErrorDetail, ItemWarning, shapes } from "@headwater/contracts";
import { DETAILS_FOUND_MAX } from "@headwater/kernel";
import { addContactsToList } from "../operations/addContactsToList/addContactsToList.ts";
import { LIST_ELEMENTS } from "../operations/listRecords.ts";
import type { ValidatedOperation } from "../operations/operation.ts";
import { removeContactsFromList } from "../operations/removeContactsFromList/removeContactsFromList.ts";
import { type AcceptedRecord, type ValidationContext, validateItem } from "../operations/validateItem.ts";

type Identifiers = shapes.ContactReference["identifiers"];

/** Contacts that are to be put on a list, and to be taken off it. */
export interface MemberChanges {
  readonly add?: readonly Identifiers[] | undefined;
  readonly remove?: readonly Identifiers[] | undefined;
  /** Contacts to add that do not exist are created. */
  readonly canBeCreated?: boolean | undefined;
}

/** An item of intake: its operation, its position in the request's receipt, and its records. */
export interface ListItem {
  readonly member: "add" | "remove";
  readonly index: 0 | 1;
  readonly operation: typeof addContactsToList | typeof removeContactsFromList;
  readonly records: readonly AcceptedRecord[];
  readonly warnings: readonly ItemWarning[];
}

export type ReadMembers =
  | { readonly kind: "items"; readonly items: readonly ListItem[] }
  | { readonly kind: "refused"; readonly details: readonly ErrorDetail[] };

/**
 * Validates the contacts as intake does, with paths of this body (`/add/3/email`). A contact that is in both members is refused: their
 * records are of two operations, and no order holds between those.
 */
export function readMembers(
  { add = [], remove = [], canBeCreated }: MemberChanges,
  { account, listId }: { readonly account: Account; readonly listId: number },
  context: ValidationContext,
): ReadMembers {
  const right = canBeCreated === undefined ? {} : { canBeCreated };
  const given: readonly (readonly [ListItem["member"], ListItem["index"], ListItem["operation"], object])[] = [
    ["add", 0, addContactsToList, { identifiers: add, listId, ...right }],
    ["remove", 1, removeContactsFromList, { identifiers: remove, listId }],
  ];
  const items: ListItem[] = [];
  const details: ErrorDetail[] = [];
  for (const [member, index, operation, item] of given) {
    if ((member === "add" ? add : remove).length === 0) continue;
    const read = validateMember(operation, account, { member, item }, context);
    if (read.kind === "rejected") details.push(...read.details);
    else items.push({ member, index, operation, records: read.records, warnings: read.warnings });
  }
  const found = details.length > 0 ? details : inBoth(items);
  return found.length > 0 ? { kind: "refused", details: found } : { kind: "items", items };
}

function validateMember(
  operation: ValidatedOperation,
  account: Account,
  { member, item }: { readonly member: ListItem["member"]; readonly item: object },
  context: ValidationContext,
) {
  const at = (path: string) => path.replace(LIST_ELEMENTS, `/${member}`);
  const verdict = validateItem(operation, account, item, context);
  if (verdict.kind === "rejected") {
    const details = verdict.details.map((detail) => ({ ...detail, path: at(detail.path) }));
    return { kind: "rejected", details } as const;
  }
  const warnings = verdict.warnings.map((warning) => ({ ...warning, path: at(warning.path) }));
  return { kind: "accepted", records: verdict.records, warnings } as const;
}

function inBoth(items: readonly ListItem[]): ErrorDetail[] {
  const [added, removed] = items;
  if (added === undefined || removed === undefined) return [];
  const adding = new Set(added.records.map(({ identity }) => identity));
  const message = "The contact is in `add` as well.";
  return removed.records
    .flatMap(({ identity }, index) =>
      adding.has(identity) ? [{ path: `/remove/${index}`, code: "not_allowed", message }] : [],
    )
    .slice(0, DETAILS_FOUND_MAX);
}
