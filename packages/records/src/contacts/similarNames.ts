import type { ItemWarning } from "@headwater/contracts";
import { type AccountSettings, defaultChannels, identifierRules, type shapes } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";

/** Limit of the names of one body that are warned of. */
const WARNED_MAX = 20;
/** Names whose meaning is remembered, by account: bodies name the same members again and again. */
const REMEMBERED_MAX = 1_000;
const NAME_CHARACTERS_MAX = 64;

const channelNames: ReadonlySet<string> = new Set(defaultChannels);

/** Finds the known name that a name is but for its case, hyphens, underscores and white space; undefined for known and other names. */
class SimilarNames {
  readonly #known: ReadonlySet<string>;
  readonly #byPlain: ReadonlyMap<string, string>;
  readonly #remembered = new Map<string, string | undefined>();

  constructor(known: Iterable<string>) {
    this.#known = new Set(known);
    this.#byPlain = new Map([...this.#known].map((name) => [plainName(name), name]));
  }

  of(name: string): string | undefined {
    if (this.#known.has(name) || name.length > NAME_CHARACTERS_MAX) return undefined;
    if (this.#remembered.has(name)) return this.#remembered.get(name);
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    const similar = this.#byPlain.get(plainName(name));
    this.#remembered.set(name, similar);
    return similar;
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

interface KnownNames {
  readonly identifiers: SimilarNames;
  readonly attributes: SimilarNames;
}

const channels = new SimilarNames(channelNames);
const namesOf = new WeakMap<AccountSettings, KnownNames>();

function knownNames(settings: AccountSettings): KnownNames {
  const known = namesOf.get(settings);
  if (known !== undefined) return known;
  const names = [...identifierRules(settings).formats.keys()];
  const addresses = defaultChannels.map((channel) => `channels.${channel}.address`);
  const created = {
    identifiers: new SimilarNames([...names, ...addresses]),
    attributes: new SimilarNames([...names, "channels"]),
  };
  namesOf.set(settings, created);
  return created;
}

/**
 * Warns of names of a contact that are free to choose and nearly those of its account's identifiers or channels, such as `Email`. They are
 * stored as they are: names are case-sensitive.
 * @param at pointer to the contact's identifiers, as the item has them.
 */
export function similarNameWarnings(
  contact: shapes.ContactReference,
  { settings, at }: { readonly settings: AccountSettings; readonly at: string },
): ItemWarning[] {
  const known = knownNames(settings);
  const warnings: ItemWarning[] = [];
  warnOf(contact.identifiers, { similar: known.identifiers, at, warnings });
  const attributes: unknown = "attributes" in contact ? contact.attributes : undefined;
  if (typeof attributes !== "object" || attributes === null) return warnings;
  const pointer = at.replace(/identifiers$/, "attributes");
  warnOf(attributes, { similar: known.attributes, at: pointer, warnings });
  if (!("channels" in attributes) || typeof attributes.channels !== "object" || attributes.channels === null) {
    return warnings;
  }
  warnOf(attributes.channels, { similar: channels, at: `${pointer}/channels`, warnings });
  return warnings;
}

/** Warns of attributes of a contact that are nearly its account's identifiers. @param at pointer to the attributes. */
export function similarAttributeWarnings(attributes: object, settings: AccountSettings, at: string): ItemWarning[] {
  const warnings: ItemWarning[] = [];
  warnOf(attributes, { similar: knownNames(settings).attributes, at, warnings });
  return warnings;
}

interface Warned {
  readonly similar: SimilarNames;
  readonly at: string;
  readonly warnings: ItemWarning[];
}

function warnOf(members: object, { similar, at, warnings }: Warned): void {
  for (const name of Object.keys(members)) {
    const suggestion = similar.of(name);
    if (suggestion === undefined) continue;
    if (warnings.length === WARNED_MAX) return;
    const message = `${JSON.stringify(name)} is stored as a name of its own: it is not ${JSON.stringify(suggestion)}.`;
    warnings.push({ path: `${at}/${pointerStep(name)}`, code: "similar_name", message, suggestion });
  }
}
