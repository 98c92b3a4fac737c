import type { MapContext } from "../endpoint.ts";
import { type Identities, isIdentifierValue, readIdentities } from "../identity.ts";
import { isAbsent, isBlank, isMembers, textOf } from "../reading.ts";

/** Types of identity that have a name here; an account's setting adds to them and replaces them. */
const fallback: Readonly<Record<string, string>> = {
  email: "email",
  mobile_number: "phone",
  customer: "customer_id",
};

const RAW = "raw";

/**
 * Identities of a profile. A hash of an address finds its contact where the account asks for that, and is refused alone where it does
 * not, as an identity is that is none. Types that nobody mapped are left out.
 */
export function identitiesOf(input: unknown, { settings }: Pick<MapContext, "settings">): Identities {
  if (Array.isArray(input) && input.length > IDENTITIES_MAX) return tooMany;
  const members: Named[] = [];
  const wrong: Identities["refused"][number][] = [];
  for (const [index, identity] of (Array.isArray(input) ? input : []).entries()) {
    const read = readIdentity(identity, settings.partners.cdpsync.identities);
    const path = `/${index}`;
    if (typeof read === "string") wrong.push({ ...refusal(read), path, part: identity });
    else if (read !== undefined) members.push([...read, path]);
  }
  const { identifiers, refused } = readIdentities(settings, members);
  return { identifiers, refused: [...refused, ...wrong] };
}

type Named = readonly [name: string, value: unknown, path: string];

/** Returns the name and value of an identity; a text that says why it is none; undefined for one that is absent, or that nobody mapped. */
function readIdentity(
  identity: unknown,
  mapped: Readonly<Record<string, string>>,
): readonly [name: string, value: unknown] | string | undefined {
  if (isAbsent(identity)) return undefined;
  if (!isMembers(identity)) return "An identity must be an object.";
  const { value } = identity;
  if (isAbsent(value) || isBlank(value)) return undefined;
  const type = textOf(identity.type)?.toLowerCase();
  if (type === undefined) return "`type` is required.";
  const name = nameOf(type, mapped);
  if (name === undefined) return undefined;
  if (!isIdentifierValue(value)) return "`value` must be a string or a number.";
  const encoding = textOf(identity.encoding)?.toLowerCase() ?? RAW;
  return [name, encoding === RAW ? value : { encoding, value }];
}

function refusal(message: string) {
  return { kind: "refused", code: "VALIDATION_ERROR", message } as const;
}

/** Many times those that a contact may have. */
const IDENTITIES_MAX = 1_000;

const tooMany: Identities = {
  identifiers: {},
  refused: [{ ...refusal(`A profile must have at most ${IDENTITIES_MAX} identities.`), path: "", part: null }],
};

function nameOf(type: string, mapped: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(mapped, type)) return mapped[type];
  return Object.hasOwn(fallback, type) ? fallback[type] : undefined;
}

/** Attributes of a profile without those that stand for absent ones; undefined when none is left. */
export function attributesOf(...provided: readonly unknown[]): Record<string, unknown> | undefined {
  const entries = provided
    .filter(isMembers)
    .flatMap((members) => Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
