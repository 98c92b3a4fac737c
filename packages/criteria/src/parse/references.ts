import { listIdOf } from "../leaves/list/listNames.ts";
import { CRITERIA_LIMITS } from "../limits.ts";

/** The lists that criteria name, as they name them. */
export interface ListReferences {
  readonly names: readonly string[];
  readonly ids: readonly number[];
}

/** Everything outside of themselves that criteria name. */
export interface CriteriaReferences {
  readonly lists: ListReferences;
  /** Saved audiences by key or id. */
  readonly audiences: readonly string[];
  /** Supplement tables by key. */
  readonly supplements: readonly string[];
  readonly postalCodes: readonly PostalCode[];
}

export interface PostalCode {
  readonly country: string;
  readonly postalCode: string;
}

/**
 * Collects what criteria objects name that may still be wrong in any way. More names than a criteria may have nodes are not
 * collected of one object: the parser refuses it for its nodes. Only these are read for a count, as an account may have 100,000 lists.
 * Walks without recursion, so that depth cannot exhaust the stack.
 */
export function criteriaReferences(...inputs: readonly unknown[]): CriteriaReferences {
  const found = createFound();
  for (const input of inputs) walk(input, found);
  const { names, ids, audiences, supplements, postalCodes } = found;
  return {
    lists: { names: [...names], ids: [...ids] },
    audiences: [...audiences],
    supplements: [...supplements],
    postalCodes: [...postalCodes.values()],
  };
}

type Found = ReturnType<typeof createFound>;

function createFound() {
  return {
    names: new Set<string>(),
    ids: new Set<number>(),
    audiences: new Set<string>(),
    supplements: new Set<string>(),
    postalCodes: new Map<string, PostalCode>(),
  };
}

function walk(input: unknown, found: Found): void {
  const open: unknown[] = [input];
  for (let named = 0; open.length > 0 && named < CRITERIA_LIMITS.nodesMax; ) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (note(value, found)) named += 1;
    for (const member of Object.values(value)) if (typeof member === "object") open.push(member);
  }
}

/** @returns whether the object names anything. */
function note(value: object, found: Found): boolean {
  const { list, audience, supplement, postalCode, country }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof list === "string") found.names.add(list);
  const id = listIdOf(list);
  if (id !== undefined) found.ids.add(id);
  if (typeof audience === "string") found.audiences.add(audience);
  if (typeof supplement === "string") found.supplements.add(supplement);
  if (typeof postalCode === "string" && typeof country === "string") {
    found.postalCodes.set(JSON.stringify([country, postalCode]), { country, postalCode });
  }
  return [list, audience, supplement, postalCode].some((one) => one !== undefined);
}
