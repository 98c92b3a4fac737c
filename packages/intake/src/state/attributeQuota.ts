import type { Account } from "@headwater/contracts";
import { type Outcome, rejected } from "@headwater/records/fold/outcome";
import type { LoggedRecord } from "./loggedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

/** Names of the attributes that accounts have defined, by number of the account. */
export type DefinedAttributes = ReadonlyMap<number, ReadonlySet<string>>;

export async function loadDefinedAttributes(
  transaction: Pick<StateTransaction, "attributesOf">,
  accounts: Iterable<Account>,
): Promise<DefinedAttributes> {
  const defined = new Map<number, ReadonlySet<string>>();
  for (const { number } of accounts) {
    defined.set(number, new Set(await transaction.attributesOf(number)));
  }
  return defined;
}

/** Counts new names of accounts in one pass of the folds, record after record: those beyond the limit are refused. */
export class AttributeQuota {
  readonly #defined: Map<number, Set<string>>;

  constructor(defined: DefinedAttributes) {
    this.#defined = new Map([...defined].map(([account, names]) => [account, new Set(names)]));
  }

  refuse({ account, operation, record }: Pick<LoggedRecord, "account" | "operation" | "record">): Outcome | undefined {
    const names = this.#defined.get(account.number);
    const added = names === undefined ? [] : attributesOf(record).filter((name) => !isDefined(names, name));
    if (names === undefined || added.length === 0) return undefined;
    const { attributesPerAccount: max } = account.settings.limits;
    if (names.size + added.length > max) {
      const path = operation.name === "upsertContact" ? "/attributes" : "/contact/attributes";
      return rejected("ACCOUNT_ATTRIBUTES_EXCEEDED", path, `An account can have at most ${max} attributes.`);
    }
    for (const name of added) names.add(name);
    return undefined;
  }
}

/** A member of a geo object (`home.city`, `home.loc.lat`) is not an attribute of its own. */
function isDefined(names: ReadonlySet<string>, name: string): boolean {
  const above = nameAbove(name);
  if (names.has(name) || (above !== "" && names.has(above))) return true;
  return above.endsWith(".loc") && names.has(nameAbove(above));
}

function nameAbove(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** Names whose value the record writes: none without the right to create or to update its contact. */
function attributesOf(record: object): string[] {
  const contact = "contact" in record ? record.contact : undefined;
  if (typeof contact !== "object" || contact === null || !("attributes" in contact)) return [];
  const mayCreate = "canBeCreated" in contact && contact.canBeCreated === true;
  const mayUpdate = "canBeUpdated" in contact && contact.canBeUpdated === true;
  if (!mayCreate && !mayUpdate) return [];
  const entries = Object.entries(contact.attributes ?? {});
  return entries.filter(([name, value]) => name !== "channels" && value !== null).map(([name]) => name);
}
