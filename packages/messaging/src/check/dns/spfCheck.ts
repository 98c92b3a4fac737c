import { failed, passed, type TransportCheck } from "../transportCheck.ts";
import type { TxtLookups } from "./txtLookups.ts";

/** Look-ups that a receiver makes at most (RFC 7208, 4.6.4). */
const LOOKUPS_MAX = 10;
const VERSION = /^v=spf1(?: |$)/i;
const TERM = /^([+?~-]?)([a-z][a-z0-9._-]*)(?:([:=/])(.*))?$/i;
const MECHANISMS = new Set(["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"]);
/** Mechanisms, and the modifier, that make a receiver look something up. */
const LOOKING = new Set(["include", "a", "mx", "ptr", "exists", "redirect"]);

interface Term {
  readonly qualifier: string;
  readonly name: string;
  readonly isModifier: boolean;
  readonly value: string;
}

/** Checks that a domain says by one valid record who may send for it. */
export async function spfCheck(domain: string, dns: TxtLookups): Promise<TransportCheck> {
  const records = await dns.records(domain);
  if (records === undefined) return failed("spf", `DNS did not answer for ${domain}.`);
  const [record, ...others] = records.filter((text) => VERSION.test(text));
  if (record === undefined) return failed("spf", `${domain} has no SPF record.`);
  if (others.length > 0) return failed("spf", `${domain} has ${others.length + 1} SPF records; there must be one.`);
  const terms = termsOf(record);
  if (terms === undefined) return failed("spf", `The SPF record of ${domain} has a mistake.`);
  if (terms.some(({ name, qualifier }) => name === "all" && (qualifier === "" || qualifier === "+"))) {
    return failed("spf", `The SPF record of ${domain} lets everybody send: it has \`+all\`.`);
  }
  const lookups = await countLookups(terms, dns, new Set([domain]));
  if (lookups === undefined) return failed("spf", `A domain that the SPF record of ${domain} includes has none.`);
  if (lookups > LOOKUPS_MAX) {
    return failed(
      "spf",
      `The SPF record of ${domain} leads to more than ${LOOKUPS_MAX} look-ups: receivers refuse it.`,
    );
  }
  return passed("spf", `${domain} has an SPF record.`);
}

/** Returns undefined for a record that receivers take for wrong. */
function termsOf(record: string): Term[] | undefined {
  const terms = record
    .split(" ")
    .slice(1)
    .filter((text) => text !== "");
  const read = terms.map((text): Term | undefined => {
    const [, qualifier = "", written = "", mark, value = ""] = TERM.exec(text) ?? [];
    const name = written.toLowerCase();
    const isModifier = mark === "=";
    return written === "" || (!isModifier && !MECHANISMS.has(name))
      ? undefined
      : { qualifier, name, isModifier, value };
  });
  return read.every((term) => term !== undefined) ? read : undefined;
}

/** Counts the look-ups that a record leads to, up to one above the limit. @returns undefined where an included domain has no record. */
async function countLookups(
  terms: readonly Term[],
  dns: TxtLookups,
  above: ReadonlySet<string>,
): Promise<number | undefined> {
  let count = 0;
  for (const { name, value, isModifier } of terms) {
    if (!LOOKING.has(name) || isModifier !== (name === "redirect")) continue;
    count += 1;
    if (count > LOOKUPS_MAX) return count;
    if (name !== "include" && name !== "redirect") continue;
    const inner = await countIncluded(value.toLowerCase(), dns, above);
    if (inner === undefined) return undefined;
    count += inner;
    if (count > LOOKUPS_MAX) return count;
  }
  return count;
}

/** A name with macros depends on the mail; one that leads back never ends. */
async function countIncluded(domain: string, dns: TxtLookups, above: ReadonlySet<string>): Promise<number | undefined> {
  if (domain.includes("%")) return 0;
  if (above.has(domain)) return LOOKUPS_MAX + 1;
  const records = (await dns.records(domain)) ?? [];
  const [record] = records.filter((text) => VERSION.test(text));
  const terms = record === undefined ? undefined : termsOf(record);
  return terms && countLookups(terms, dns, new Set([...above, domain]));
}
