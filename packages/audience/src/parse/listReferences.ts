import { CRITERIA_LIMITS } from "../limits.ts";

/** The lists that a criteria object names, as it names them. */
export interface ListReferences {
  readonly names: readonly string[];
  readonly ids: readonly number[];
}

/** Greatest id that a list can have. */
const LIST_ID_MAX = 2_147_483_647;

/**
 * Collects every `list` of a criteria object that may still be wrong in any way. More lists than a criteria may have nodes are not
 * collected: the parser refuses it for its nodes. Walks without recursion, so that depth cannot exhaust the stack.
 */
export function listReferences(input: unknown): ListReferences {
  const names = new Set<string>();
  const ids = new Set<number>();
  const open: unknown[] = [input];
  while (open.length > 0 && names.size + ids.size < CRITERIA_LIMITS.nodesMax) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const list: unknown = "list" in value ? value.list : undefined;
    if (typeof list === "string") names.add(list);
    else if (isListId(list)) ids.add(list);
    for (const member of Object.values(value)) if (typeof member === "object") open.push(member);
  }
  return { names: [...names], ids: [...ids] };
}

function isListId(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= LIST_ID_MAX;
}
