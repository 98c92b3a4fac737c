import type { MapContext } from "../endpoint.ts";
import { type Identities, isIdentifierValue, readIdentities } from "../identity.ts";
import { isMembers, textOf } from "../reading.ts";

/** Types of identity that have a name here; an account's setting adds to them and replaces them. */
const usual: Readonly<Record<string, string>> = {
  email: "email",
  mobile_number: "phone",
  customer: "customer_id",
};

const RAW = "raw";

/**
 * Identities of a profile. A hash of an address finds its contact where the account asks for that, and is refused alone where it does
 * not. Types that nobody mapped are left out.
 */
export function identitiesOf(given: unknown, { settings }: Pick<MapContext, "settings">): Identities {
  if (Array.isArray(given) && given.length > IDENTITIES_MAX) return tooMany;
  const identities = (Array.isArray(given) ? given : []).map((identity, index) => ({ identity, path: `/${index}` }));
  const members = identities.flatMap(({ identity, path }) => {
    if (!isMembers(identity) || !isIdentifierValue(identity.value)) return [];
    const name = nameOf(textOf(identity.type)?.toLowerCase(), settings.partners.cdpsync.identities);
    const encoding = textOf(identity.encoding)?.toLowerCase() ?? RAW;
    const value = encoding === RAW ? identity.value : { encoding, value: identity.value };
    return name === undefined ? [] : [[name, value, path] as const];
  });
  return readIdentities(settings, members);
}

/** Many times those that a contact may have. */
const IDENTITIES_MAX = 1_000;

const tooMany: Identities = {
  identifiers: {},
  refused: [
    {
      kind: "refused",
      code: "VALIDATION_ERROR",
      message: `A profile must have at most ${IDENTITIES_MAX} identities.`,
      path: "",
      part: null,
    },
  ],
};

function nameOf(type: string | undefined, mapped: Readonly<Record<string, string>>): string | undefined {
  if (type === undefined) return undefined;
  if (Object.hasOwn(mapped, type)) return mapped[type];
  return Object.hasOwn(usual, type) ? usual[type] : undefined;
}

/** Attributes of a profile without those that stand for absent ones; undefined when none is left. */
export function attributesOf(...given: readonly unknown[]): Record<string, unknown> | undefined {
  const entries = given
    .filter(isMembers)
    .flatMap((members) => Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
