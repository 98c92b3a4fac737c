import type { Account } from "@headwater/contracts";
import {
  addressField,
  type CriteriaContext,
  type CriteriaNode,
  criteriaReferences,
  type InvalidCriteria,
  parseCriteria,
} from "@headwater/criteria";
import { type ErrorDetail, mapInSteps, runInSlices } from "@headwater/kernel";
import type { CriteriaPorts } from "./criteriaPorts.ts";
import { readContext, readSeenFields } from "./knownNames.ts";
import { refusedRegexes } from "./refusedRegexes.ts";
import { readSentChannels } from "./sentChannels.ts";

export interface Checking {
  readonly account: Account;
  /** Milliseconds since 1970, for a past moment. */
  readonly asOf?: number | undefined;
  /** Milliseconds since 1970: the first of several instants up to `asOf`. */
  readonly since?: number | undefined;
  /** JSON pointer to the criteria in the request; default its root. */
  readonly at?: string;
  /** The saved audience that the criteria are to define: whatever refers to it makes a cycle. */
  readonly self?: CriteriaContext["self"];
  /** A parameter names the audience that the criteria refer to. */
  readonly namesAudience?: boolean;
}

/** Criteria that were checked with what the account knows, or all that is wrong with them. */
export type Examined =
  | { readonly kind: "ok"; readonly criteria: CriteriaNode; readonly context: CriteriaContext }
  | { readonly kind: "invalid"; readonly details: readonly ErrorDetail[] };

/** Checks criteria as they were sent against what the account knows. */
export async function examineCriteria(input: unknown, checking: Checking, ports: CriteriaPorts): Promise<Examined> {
  const { account, asOf, since, self, namesAudience } = checking;
  const named = criteriaReferences(input);
  const context = await readContext(account, ports, { asOf, since, named, self, namesAudience });
  const parsed = parseCriteria(input, context);
  if (parsed.kind === "ok") return resolved(input, { criteria: parsed.criteria, context }, checking, ports);
  const seen = await seenBy(parsed, account, ports);
  const wider = await readContext(account, ports, { asOf, since, named, self, namesAudience, seen });
  if (!askedFields(parsed).some((name) => wider.fields.has(name))) return invalid(parsed, checking, seen, ports);
  const again = parseCriteria(input, wider);
  if (again.kind === "invalid") return invalid(again, checking, seen, ports);
  return resolved(input, { criteria: again.criteria, context: wider }, checking, ports);
}

/** Names that an account knows of those in several criteria. */
export interface NamesKnown {
  readonly context: CriteriaContext;
  /** Names that a misspelled one may have meant; absent where all are known. */
  readonly suggestions?: CriteriaContext;
}

/** Reads the names that several criteria use, at once for all of them: those that only the data know as well. */
export async function readNames(
  inputs: readonly unknown[],
  account: Account,
  ports: CriteriaPorts,
): Promise<NamesKnown> {
  const named = criteriaReferences(...inputs);
  const context = await readContext(account, ports, { named });
  const parsed = await runInSlices(mapInSteps(inputs, (input) => parseCriteria(input, context)));
  const wrong = parsed.filter((one) => one.kind === "invalid");
  const unknown = {
    unknownFields: wrong.flatMap(({ unknownFields }) => unknownFields),
    unknownChannels: wrong.flatMap(({ unknownChannels }) => unknownChannels),
  };
  const references = wrong.flatMap(({ unknownReferences }) => unknownReferences);
  if (askedFields(unknown).length + references.length === 0) return { context };
  const seen = await seenBy(unknown, account, ports);
  const [wider, suggestions] = await Promise.all([
    readContext(account, ports, { named, seen }),
    readContext(account, ports, { named: "all", seen }),
  ]);
  return { context: wider, suggestions };
}

/** Regular expressions are validated by the store, once all else is right. */
async function resolved(
  input: unknown,
  found: Omit<Extract<Examined, { kind: "ok" }>, "kind">,
  { at = "" }: Checking,
  ports: CriteriaPorts,
): Promise<Examined> {
  const refused = await refusedRegexes(input, ports);
  if (refused.length === 0) return { kind: "ok", ...found };
  return { kind: "invalid", details: refused.map((detail) => ({ ...detail, path: `${at}${detail.path}` })) };
}

type Unknown = Pick<InvalidCriteria, "unknownFields" | "unknownChannels">;

/** Fields that only the data may know; a channel of messages is known by its addresses. */
function askedFields({ unknownFields, unknownChannels }: Unknown): string[] {
  return [...unknownFields, ...unknownChannels.map(addressField)];
}

/** A channel that no contact has may be one that messages were sent on: all sends are checked only for those. */
async function seenBy(parsed: Unknown, account: Account, ports: CriteriaPorts): Promise<string[]> {
  const asked = askedFields(parsed);
  if (asked.length === 0) return [];
  const fields = await readSeenFields(account, asked, ports);
  const without = parsed.unknownChannels.filter((name) => !fields.some((field) => isOfChannel(field, name)));
  if (without.length === 0) return fields;
  return [...fields, ...(await readSentChannels(account, without, ports)).map(addressField)];
}

function isOfChannel(field: string, name: string): boolean {
  return field.startsWith(`channels.${name}.`) || field === `identifiers.${addressField(name)}`;
}

/** Names that a misspelled one may have meant are read only now. */
async function invalid(
  parsed: InvalidCriteria,
  { account, asOf, at = "" }: Checking,
  seen: readonly string[],
  ports: CriteriaPorts,
): Promise<Examined> {
  const isUnknown = askedFields(parsed).length + parsed.unknownReferences.length > 0;
  const errors = isUnknown
    ? parsed.errorsIn(await readContext(account, ports, { asOf, named: "all", seen }))
    : parsed.errors;
  return { kind: "invalid", details: errors.map((error) => ({ ...error, path: `${at}${error.path}` })) };
}
