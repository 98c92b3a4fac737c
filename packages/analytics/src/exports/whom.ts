import { readAudienceKeys } from "@headwater/audiences/audiences/audienceUses";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { meantCriteria } from "@headwater/audiences/criteria/knownAudiences";
import type { JobInput } from "@headwater/contracts";
import type { Caller } from "@headwater/http";
import { hasForbiddenText } from "@headwater/kernel";
import type { RoutePorts } from "../ports.ts";
import type { ExportRequest } from "./readExportRequest.ts";

type Criteria = JobInput<"ExportContacts">["criteria"];

export interface RecipientsToExport {
  /** The member that names a saved audience by its key, and whether the body may hold criteria as well. */
  readonly keyMember: string;
  readonly asOf?: number | undefined;
}

/** Keys among which those are searched for that a misspelled one may have meant. */
const SUGGESTED_MAX = 20_000;

/**
 * Reads whom an export is about: a saved audience, whose definition is copied now, or criteria; undefined for everybody, and where
 * there is a problem.
 */
export async function readRecipients(
  { given: input, problems }: Pick<ExportRequest, "given" | "problems">,
  { keyMember, asOf }: RecipientsToExport,
  { caller, ports }: { readonly caller: Caller; readonly ports: Pick<RoutePorts, "postgres" | "clickHouse"> },
): Promise<Criteria> {
  const { account } = caller;
  const key = input[keyMember] ?? undefined;
  const criteria = input.criteria ?? undefined;
  if (key !== undefined && criteria !== undefined)
    return problems.add("/criteria", "not_allowed", `\`${keyMember}\` says already who is exported.`);
  if (key === undefined && criteria === undefined) return undefined;
  if (criteria !== undefined) {
    const examined = await examineCriteria(criteria, { account, asOf, at: "/criteria" }, ports);
    if (examined.kind === "invalid") return problems.addRules(examined.details);
    problems.addChecked({ criteria: examined.criteria, at: "/criteria" });
    return { node: examined.criteria, shown: criteria };
  }
  // Its schema has reported any other type.
  if (typeof key !== "string") return undefined;
  const audience = hasForbiddenText(key)
    ? undefined
    : await audiences.read(ports.postgres, { account: account.number, key });
  if (audience?.key !== key) {
    const known = await readAudienceKeys(ports.postgres, account.number, SUGGESTED_MAX);
    const keys = known.map((one) => one.key);
    return problems.unknown(`/${keyMember}`, "unknown_reference", key, keys);
  }
  const view = meantCriteria(audience);
  // What it names may have been deleted since: then it can neither be counted nor exported.
  const at = `/${keyMember}`;
  const examined = await examineCriteria(view, { account, asOf, at }, ports);
  if (examined.kind === "invalid") return problems.addRules(examined.details);
  problems.addChecked({ criteria: examined.criteria, at });
  return { node: examined.criteria, shown: view, audienceKey: key };
}
