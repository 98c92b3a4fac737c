import type { ErrorDetail } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { heightOfInclude, holdIncludes, reachIncludes } from "../includes/includeUses.ts";
import { messageLimits } from "../limits.ts";
import type { PartInclude } from "../prepare/prepareContent.ts";
import { invalidContent } from "./prepareParts.ts";

export interface IncludingContent {
  readonly account: number;
  readonly includes: readonly PartInclude[];
  /** Key of the include that holds the content; undefined for messages. */
  readonly own?: string;
}

/** Returns the keys of includes, each once. */
export function keysOf(includes: readonly PartInclude[]): string[] {
  return [...new Set(includes.map(({ key }) => key))].sort();
}

/**
 * Finds includes that there are not, that lead back to where they stand, or that go too deep. The named ones are held until the
 * transaction ends.
 */
export async function mistakesOfIncludes(
  transaction: Transaction,
  { account, includes, own }: IncludingContent,
): Promise<ErrorDetail[]> {
  const keys = keysOf(includes);
  if (keys.length === 0) return [];
  const known = new Set(await holdIncludes(transaction, account, keys));
  const reached = await reachIncludes(transaction, account, [...known]);
  const above = own === undefined ? 0 : 1 + (await heightOfInclude(transaction, { account, key: own }));
  return includes.flatMap(({ key, ...position }): ErrorDetail[] => {
    if (!known.has(key) && key !== own) {
      return [{ ...position, code: "unknown_reference", message: `There is no include ${JSON.stringify(key)}.` }];
    }
    const below = reached.filter(({ root }) => root === key);
    if (key === own || below.some((one) => one.key === own)) {
      return [
        { ...position, code: "not_allowed", message: `The include ${JSON.stringify(key)} leads back to this one.` },
      ];
    }
    const depth = above + Math.max(0, ...below.map((one) => one.depth));
    if (depth <= messageLimits.includeDepth) return [];
    const message = `Includes may stand ${messageLimits.includeDepth} levels deep in one another.`;
    return [{ ...position, code: "too_many", message }];
  });
}

/** Returns the refusal of texts that have mistakes: it names those of their includes too. */
export async function invalidTexts(
  postgres: Postgres,
  { mistakes, ...content }: IncludingContent & { readonly mistakes: readonly ErrorDetail[] },
) {
  const ofIncludes = await postgres.transaction((transaction) => mistakesOfIncludes(transaction, content));
  return invalidContent([...mistakes, ...ofIncludes]);
}
