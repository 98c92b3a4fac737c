import { failed, passed, type TransportCheck } from "../transportCheck.ts";
import { type TxtLookups, tagsOf } from "./txtLookups.ts";

/** Domains that a mail proves: those of its signatures, and that of its return path. */
export interface ProvenDomains {
  readonly dkim: readonly string[];
  /** Undefined where the return path's domain has no good SPF record. */
  readonly spf: string | undefined;
}

/** Names that receivers ask for at most. */
const NAMES_MAX = 8;
const POLICIES = new Set(["none", "quarantine", "reject"]);

interface Published {
  readonly domain: string;
  readonly tags: ReadonlyMap<string, string>;
}

/** Checks that the domain of `From` has a policy, and that a signature or the return path is aligned with it. */
export async function dmarcCheck(from: string, proven: ProvenDomains, dns: TxtLookups): Promise<TransportCheck> {
  const found = await publishedAbove(from, dns);
  if (found === undefined) return failed("dmarc", `DNS did not answer for _dmarc.${from}.`);
  const [policy] = found;
  if (policy === undefined) return failed("dmarc", `Neither ${from} nor a domain above it has a DMARC record.`);
  const at = `_dmarc.${policy.domain}`;
  if (!POLICIES.has(policy.tags.get("p")?.toLowerCase() ?? "")) {
    return failed("dmarc", `${at} has no valid \`p\`: none, quarantine or reject.`);
  }
  const own = organizationOf(from, found);
  const isAligned = async (domain: string, mode: string | undefined) => {
    if (domain === from) return true;
    if (mode?.toLowerCase() === "s") return false;
    return organizationOf(domain, (await publishedAbove(domain, dns)) ?? []) === own;
  };
  for (const domain of proven.dkim) {
    if (await isAligned(domain, policy.tags.get("adkim"))) {
      return passed("dmarc", `${at} has a policy, and the signature of ${domain} is aligned with ${from}.`);
    }
  }
  const { spf } = proven;
  if (spf !== undefined && (await isAligned(spf, policy.tags.get("aspf")))) {
    return passed("dmarc", `${at} has a policy, and the return path at ${spf} is aligned with ${from}.`);
  }
  return failed("dmarc", `Mail from ${from} fails DMARC: neither a good DKIM key nor SPF is aligned with it.`);
}

/**
 * Returns the records of a domain and the domains above it, nearest first: receivers walk up the tree (RFC 9989), without a list of
 * public suffixes. @returns undefined where DNS does not answer.
 */
async function publishedAbove(domain: string, dns: TxtLookups): Promise<Published[] | undefined> {
  const labels = domain.split(".");
  // Of a long name the last ones count; a name of one label is nobody's.
  const starts = labels
    .map((_, index) => index)
    .filter((position) => position === 0 || labels.length - position < NAMES_MAX);
  const names = starts.map((place) => labels.slice(place).join(".")).filter((name) => name.includes("."));
  const answers = await Promise.all(names.map((name) => dns.records(`_dmarc.${name}`)));
  if (answers[0] === undefined) return undefined;
  return names.flatMap((name, place) => {
    const records = (answers[place] ?? []).map(tagsOf).filter((tags) => tags.get("v") === "DMARC1");
    const [tags] = records;
    return tags === undefined || records.length > 1 ? [] : [{ domain: name, tags }];
  });
}

/** Returns the domain of the organization: the highest with a record, unless a record says where it ends (`psd`). */
function organizationOf(domain: string, found: readonly Published[]): string {
  const end = found.find(({ tags }) => tags.get("psd") === "n");
  if (end !== undefined) return end.domain;
  const suffix = found.find((one) => one.tags.get("psd") === "y" && one.domain !== domain);
  if (suffix === undefined) return found.at(-1)?.domain ?? domain;
  const labels = domain.split(".");
  return labels.slice(-(suffix.domain.split(".").length + 1)).join(".");
}
