import type { Account } from "@headwater/contracts";
import { type CriteriaContext, criteriaReferences, listIdsByText, parseCriteria } from "@headwater/criteria";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type Examined, examineCriteria } from "../criteria/examineCriteria.ts";
import { readAudiences } from "../criteria/knownAudiences.ts";
import type { RoutePorts } from "../ports.ts";
import type { StoredAudience } from "./audiences.ts";
import { invalidRules } from "./checkCriteria.ts";

const AT = "/criteria";

/** Criteria that are to be saved, checked before the transaction that saves them: it waits for no other store. */
export interface CheckedCriteria {
  readonly input: unknown;
  readonly examined: Examined;
}

type Self = Pick<StoredAudience, "id" | "key">;

export async function checkBeforeSaving(
  input: unknown,
  { account, named }: { readonly account: Account; readonly named: string },
  ports: Pick<RoutePorts, "postgres" | "clickHouse">,
): Promise<CheckedCriteria> {
  const self = { id: named, key: named };
  return { input, examined: await examineCriteria(input, { account, at: AT, self }, ports) };
}

export interface SavedCriteria {
  readonly criteria: string;
  readonly lists: string;
  /** Ids of the audiences that the criteria name. */
  readonly used: readonly string[];
}

/**
 * Looks once more at the audiences that the criteria refer to, while no other of the account is written: of two that would make a
 * cycle together the second is refused.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`.
 */
export async function settleCriteria(
  { input, examined }: CheckedCriteria,
  { account, self, transaction }: { readonly account: number; readonly self: Self; readonly transaction: Transaction },
): Promise<SavedCriteria> {
  if (examined.kind === "invalid") throw invalidRules(examined.details);
  const references = criteriaReferences(input);
  const audiences = await readAudiences(transaction, account, references.audiences);
  const parsed = parseCriteria(input, { ...examined.context, audiences, self });
  if (parsed.kind === "invalid") {
    throw invalidRules(parsed.errors.map((error) => ({ ...error, path: `${AT}${error.path}` })));
  }
  const used = references.audiences.flatMap((named) => audiences.get(named)?.id ?? []);
  const lists = JSON.stringify(pinned(references.lists.names, examined.context));
  return { criteria: JSON.stringify(input), lists, used: [...new Set(used)] };
}

/** Returns the id of each list that is named by a text. */
export function pinned(names: readonly string[], { lists }: CriteriaContext): Record<string, number> {
  return Object.fromEntries(listIdsByText(names, lists));
}
