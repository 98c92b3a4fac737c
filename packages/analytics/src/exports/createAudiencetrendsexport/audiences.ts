import { readAudienceKeys } from "@headwater/audiences/audiences/audienceUses";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { type Checking, examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import { meantCriteria } from "@headwater/audiences/criteria/knownAudiences";
import type { JobInput } from "@headwater/contracts";
import { type ErrorDetail, hasForbiddenText } from "@headwater/kernel";
import { below } from "../configurationProblems.ts";
import type { ExportRequest } from "../readExportRequest.ts";
import type { TrendPorts } from "./trendPorts.ts";

type Audiences = JobInput<"ExportAudienceTrends">["audiences"];

const NAMED_MAX = 20;
const SAVED_MAX = 100;
const OF_CRITERIA = "(criteria)";

/**
 * Reads whose trends are wanted: saved audiences, whose definitions are copied now, and criteria. Neither: all that are saved. Those
 * with a problem are left out.
 */
export async function readAudiences(request: ExportRequest, checking: Checking, ports: TrendPorts): Promise<Audiences> {
  const { body, problems } = request;
  const keys = readKeys(request);
  const criteria = body.criteria ?? undefined;
  const isAll = (body.audiences ?? undefined) === undefined && criteria === undefined;
  const named = isAll ? await savedKeys(request, checking, ports) : (keys ?? []);
  const audiences: Audiences = [];
  for (const [place, key] of named.entries()) {
    const found = await readNamed(key, isAll ? "" : below("/audiences", place), { request, checking, ports });
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

function readKeys({ body, problems }: ExportRequest): readonly string[] | undefined {
  const { audiences } = body;
  if (audiences === undefined || audiences === null) return undefined;
  if (!Array.isArray(audiences))
    return problems.add("/audiences", "type_mismatch", "The value must be a list of keys.");
  if (audiences.length > NAMED_MAX)
    return problems.add("/audiences", "too_many", `A trend names at most ${NAMED_MAX} audiences.`);
  if (audiences.length === 0 && (body.criteria ?? undefined) === undefined)
    return problems.add("/audiences", "bad_value", "The list is empty.");
  const keys: string[] = [];
  for (const [place, key] of audiences.entries()) {
    if (typeof key !== "string")
      problems.add(below("/audiences", place), "type_mismatch", "The key of an audience is a string.");
    else if (keys.includes(key)) problems.add(below("/audiences", place), "bad_value", "The audience is named twice.");
    else keys.push(key);
  }
  return keys;
}

async function savedKeys(
  { problems }: ExportRequest,
  { account }: Checking,
  { postgres }: TrendPorts,
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
  readonly request: ExportRequest;
  readonly checking: Checking;
  readonly ports: TrendPorts;
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
  const shown = meantCriteria(audience);
  const examined = await examineCriteria(shown, { ...checking, at }, ports);
  if (examined.kind === "invalid")
    return request.problems.addRules(at === "" ? ofAudience(key, examined.details) : examined.details);
  request.problems.addChecked({ criteria: examined.criteria, at });
  return { node: examined.criteria, shown, audienceKey: key, label: key };
}

/** The request names none of the audiences: its errors say which one is meant. */
function ofAudience(key: string, details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.map((detail) => ({
    ...detail,
    path: "/audiences",
    message: `the audience "${key}": ${detail.message} (${detail.path})`,
  }));
}
