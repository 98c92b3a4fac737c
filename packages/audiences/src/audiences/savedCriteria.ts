import type { Account } from "@headwater/contracts";
import { type CriteriaContext, criteriaReferences, listIdsByText, parseCriteria } from "@headwater/criteria";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type Examined, examineCriteria } from "../criteria/examineCriteria.ts";
import { readAudiences } from "../criteria/knownAudiences.ts";
import type { RoutePorts } from "../ports.ts";
import { invalidRules } from "./checkCriteria.ts";
import type { StoredAudience } from "./postgres.ts";

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

/**
 * Returns criteria as they are stored, with the ids of the lists that they name.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`.
 */
export function toStoredCriteria(checked: CheckedCriteria): Pick<StoredAudience, "criteria" | "lists"> {
  const { input } = checked;
  const lists = pinned(criteriaReferences(input).lists.names, contextOf(checked));
  return { criteria: JSON.stringify(input), lists: JSON.stringify(lists) };
}

/**
 * Reads the audiences that criteria name once more, while no other of the account is written: of two that would make a cycle together the
 * second is refused.
 * @returns their ids. @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`.
 */
export async function readAudiencesNamed(
  transaction: Transaction,
  checked: CheckedCriteria,
  { account, self }: { readonly account: number; readonly self: Self },
): Promise<readonly string[]> {
  const { audiences: names } = criteriaReferences(checked.input);
  const audiences = await readAudiences(transaction, account, names);
  const parsed = parseCriteria(checked.input, { ...contextOf(checked), audiences, self });
  if (parsed.kind === "invalid") {
    throw invalidRules(parsed.errors.map((error) => ({ ...error, path: `${AT}${error.path}` })));
  }
  return [...new Set(names.flatMap((named) => audiences.get(named)?.id ?? []))];
}

function contextOf({ examined }: CheckedCriteria): CriteriaContext {
  if (examined.kind === "invalid") throw invalidRules(examined.details);
  return examined.context;
}

/** Returns the id of each list that is named by a text. */
export function pinned(names: readonly string[], { lists }: CriteriaContext): Record<string, number> {
  return Object.fromEntries(listIdsByText(names, lists));
}
