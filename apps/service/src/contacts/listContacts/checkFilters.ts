import type { CriteriaNode } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import { examineCriteria } from "@headwater/projection";
import { invalidRules } from "../../audiences/checkCriteria.ts";
import type { ServicePorts } from "../../ports.ts";

/** A parameter of the query as a rule of criteria. */
export interface Filter {
  /** The parameter's name, for errors. */
  readonly member: string;
  readonly rule: object;
}

const RULE = /^\/and\/(\d+)(?:\/|$)/;

/**
 * Checks filters, which must all hold.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`, whose details name the parameters.
 */
export async function checkFilters(
  filters: readonly Filter[],
  account: Account,
  ports: Pick<ServicePorts, "postgres" | "clickHouse">,
): Promise<CriteriaNode> {
  const checking = { account, namesAudience: true };
  const examined = await examineCriteria({ and: filters.map(({ rule }) => rule) }, checking, ports);
  if (examined.kind === "ok") return examined.criteria;
  throw invalidRules(examined.details.map((detail) => ({ ...detail, path: pathOf(detail, filters) })));
}

/** The caller wrote parameters, not the criteria that were made of them. */
export function pathOf({ path }: Pick<ErrorDetail, "path">, filters: readonly Filter[]): string {
  const member = filters[Number(RULE.exec(path ?? "")?.[1])]?.member;
  return member === undefined ? "" : `/${pointerStep(member)}`;
}
