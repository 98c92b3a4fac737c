import { type Account, identifierRules } from "@headwater/contracts";
import { indexNames, knownFields } from "@headwater/criteria";
import { refusal } from "@headwater/http";
import { hasForbiddenText } from "@headwater/kernel";

import { readAttribute } from "@headwater/records/attributes/postgres";
import { readContactNames } from "../exports/contactColumns.ts";
import type { RoutePorts } from "../ports.ts";
import type { LiveContact } from "./liveContacts.ts";

export const LISTS = "lists";

/** Limit of the unknown names that are reported, each with the nearest ones. */
const REPORTED_MAX = 20;

interface Asked {
  readonly account: Account;
  /** Contacts of the page: what one of them has is known. */
  readonly contacts: readonly LiveContact[];
}

/**
 * Checks that fields of contacts are there: a misspelled one would be left out of every record in silence. Most are known without
 * asking a store; all names of the account are read only for one that nobody seems to have.
 * @throws HeadwaterError 400 `BAD_REQUEST` with the nearest names.
 */
export async function expectContactFields(
  names: readonly string[],
  { account, contacts }: Asked,
  ports: Pick<RoutePorts, "clickHouse" | "postgres">,
): Promise<void> {
  const identifiers = [...identifierRules(account.settings).formats.keys()];
  const fallback = new Set([LISTS, ...identifiers, ...knownFields({ attributes: [], identifiers }).keys()]);
  const isVisible = (name: string) => contacts.some(({ fields }) => Object.hasOwn(fields, name));
  const doubted = [...new Set(names)].filter((name) => !fallback.has(name) && !isVisible(name));
  const isDefined = await Promise.all(doubted.map((name) => isAttribute(name, account.number, ports)));
  const left = doubted.filter((_, index) => isDefined[index] !== true);
  if (left.length === 0) return;
  const { find, suggested } = await readContactNames(account, undefined, ports);
  const unknown = left.filter((name) => !OF_CONTACTS.has(find(name)?.kind));
  if (unknown.length > 0) throw unknownFields(unknown, suggested);
}

/** Kinds of columns that an activity shows of its contact; membership in one list is none of them. */
const OF_CONTACTS: ReadonlySet<string | undefined> = new Set(["value", "channel", "column", "lists"]);

async function isAttribute(
  name: string,
  account: number,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<boolean> {
  const key = name.replace(/^attributes\./, "");
  if (key === "" || hasForbiddenText(key)) return false;
  return (await readAttribute(postgres, { account, key })) !== undefined;
}

function unknownFields(names: readonly string[], suggested: readonly string[]) {
  const findNearest = indexNames(suggested);
  const details = names.slice(0, REPORTED_MAX).map((name) => {
    const allowed = findNearest(name);
    const message = `\`contactFields[]\` names an unknown field: ${JSON.stringify(name)}.`;
    return { path: "/contactFields[]", code: "unknown_field", message, ...(allowed.length > 0 && { allowed }) };
  });
  return refusal("BAD_REQUEST", `The query is invalid. ${details[0]?.message ?? ""}`, { details });
}
