import { readAudienceKeys } from "@headwater/audiences/audiences/audienceUses";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { type Checking, examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { meantCriteria } from "@headwater/audiences/criteria/knownAudiences";
import type { JobInput } from "@headwater/contracts";
import type { Refuse } from "@headwater/http";
import { type ErrorDetail, hasForbiddenText } from "@headwater/kernel";
import { below } from "../configurationProblems.ts";
import type { ExportRequest } from "../readExportRequest.ts";
import type { ExportPorts } from "../startExport.ts";

type Audiences = JobInput<"ExportAudienceTrends">["audiences"];

export const NAMED_MAX = 20;
const SAVED_MAX = 100;
const OF_CRITERIA = "(criteria)";

/**
 * Reads whose trends are wanted: saved audiences, whose definitions are copied now, and criteria. Neither: all that are saved. Those
 * with a problem are left out.
 */
export async function readAudiences(
  request: NamingRequest,
  checking: Checking,
  ports: ExportPorts,
): Promise<Audiences> {
  const { given: input, members, problems } = request;
  const keys = members.audiences ?? undefined;
  const criteria = input.criteria ?? undefined;
  if (keys?.length === 0 && criteria === undefined) problems.add("/audiences", "bad_value", "The list is empty.");
  const isAll = (input.audiences ?? undefined) === undefined && criteria === undefined;
  const named = isAll ? await savedKeys(request, checking, ports) : (keys ?? []);
  const audiences: Audiences = [];
  for (const [position, key] of named.entries()) {
    const found = await readNamed(key, isAll ? "" : below("/audiences", position), { request, checking, ports });
    if (found !== undefined) audiences.push(found);
  }
  if (criteria !== undefined) {
    const examined = await examineCriteria(criteria, { ...checking, at: "/criteria" }, ports);
    if (examined.kind === "ok") {
      problems.addChecked({ criteria: examined.criteria, at: "/criteria" });
      audiences.push({ node: examined.criteria, shown: criteria, label: OF_CRITERIA });
    } else problems.addRules(examined.details);
  }
  return audiences;
}

type NamingRequest = Pick<ExportRequest, "given" | "problems"> & {
  readonly members: { readonly audiences?: readonly string[] | null | undefined };
};

/** Reads the keys of saved audiences that a body names. */
export function readAudienceNames(value: unknown, refuse: Refuse): readonly string[] | undefined {
  if (!Array.isArray(value)) return refuse("type_mismatch", "The value must be a list of keys.");
  if (value.length > NAMED_MAX) return refuse("too_many", `A trend names at most ${NAMED_MAX} audiences.`);
  const keys: string[] = [];
  for (const [index, key] of value.entries()) {
    if (typeof key !== "string") refuse("type_mismatch", "The key of an audience is a string.", { below: [index] });
    else if (keys.includes(key)) refuse("bad_value", "The audience is named twice.", { below: [index] });
    else keys.push(key);
  }
  return keys;
}

async function savedKeys(
  { problems }: Pick<ExportRequest, "problems">,
  { account }: Checking,
  { postgres }: ExportPorts,
): Promise<string[]> {
  const saved = await readAudienceKeys(postgres, account.number, SAVED_MAX + 1);
  if (saved.length > SAVED_MAX) {
    const message = `More than ${SAVED_MAX} audiences are saved: name up to ${NAMED_MAX} of them.`;
    problems.add("/audiences", "required", message);
    return [];
  }
  return saved.map(({ key }) => key);
}

interface Naming {
  readonly request: NamingRequest;
  readonly checking: Checking;
  readonly ports: ExportPorts;
}

const SUGGESTED_MAX = 20_000;

/** Reads a saved audience; what it names may have been deleted since: then it can neither be counted nor exported. */
async function readNamed(
  key: string,
  at: string,
  { request, checking, ports }: Naming,
): Promise<Audiences[number] | undefined> {
  const { number } = checking.account;
  const audience = hasForbiddenText(key) ? undefined : await audiences.read(ports.postgres, { account: number, key });
  if (audience?.key !== key) {
    const known = await readAudienceKeys(ports.postgres, number, SUGGESTED_MAX);
    return request.problems.unknown(
      at,
      "unknown_reference",
      key,
      known.map((one) => one.key),
    );
  }
  const view = meantCriteria(audience);
  const examined = await examineCriteria(view, { ...checking, at }, ports);
  if (examined.kind === "invalid")
    return request.problems.addRules(at === "" ? ofAudience(key, examined.details) : examined.details);
  request.problems.addChecked({ criteria: examined.criteria, at });
  return { node: examined.criteria, shown: view, audienceKey: key, label: key };
}

/** The request names none of the audiences: its errors say which one is meant. */
function ofAudience(key: string, details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.map((detail) => ({
    ...detail,
    path: "/audiences",
    message: `the audience "${key}": ${detail.message} (${detail.path})`,
  }));
}
