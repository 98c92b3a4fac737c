import type { Account } from "@headwater/contracts";
import { type Outcome, rejected } from "@headwater/domain";
import { pointerStep } from "@headwater/kernel";
import { nameOfList, type StateTransaction } from "@headwater/projection";
import type { PlacedRecord } from "./placedRecord.ts";

interface TakenNames {
  /** Names of the attributes that the account has defined. */
  readonly attributes: ReadonlySet<string>;
  /** Names of its lists, without case, which no new attribute can have. */
  readonly lists: ReadonlySet<string>;
}

/** Names that accounts use, by number of the account. */
export type DefinedAttributes = ReadonlyMap<number, TakenNames>;

export async function loadDefined(
  transaction: Pick<StateTransaction, "attributesOf" | "listNamesOf">,
  accounts: Iterable<Account>,
): Promise<DefinedAttributes> {
  const defined = new Map<number, TakenNames>();
  for (const { number } of accounts) {
    const [attributes, lists] = await Promise.all([transaction.attributesOf(number), transaction.listNamesOf(number)]);
    defined.set(number, { attributes: new Set(attributes), lists: new Set(lists) });
  }
  return defined;
}

/** Room of accounts for new names in one pass of the folds, record after record: names are refused once there is none. */
export class AttributeRooms {
  readonly #defined: Map<number, Set<string>>;
  readonly #taken: DefinedAttributes;

  constructor(defined: DefinedAttributes) {
    this.#taken = defined;
    this.#defined = new Map([...defined].map(([account, { attributes }]) => [account, new Set(attributes)]));
  }

  refuse({ account, operation, record }: Pick<PlacedRecord, "account" | "operation" | "record">): Outcome | undefined {
    const names = this.#defined.get(account.number);
    const added = names === undefined ? [] : attributesOf(record).filter((name) => !isDefined(names, name));
    if (names === undefined || added.length === 0) return undefined;
    const path = operation.name === "upsertContact" ? "/attributes" : "/contact/attributes";
    const lists = this.#taken.get(account.number)?.lists;
    const taken = added.find((name) => lists?.has(name.toLowerCase()));
    if (taken !== undefined) return rejected("KEY_MUST_BE_UNIQUE", `${path}/${pointerStep(taken)}`, nameOfList(taken));
    const { attributesPerAccount: max } = account.settings.limits;
    if (names.size + added.length > max) {
      return rejected("ACCOUNT_ATTRIBUTES_EXCEEDED", path, `An account can have at most ${max} attributes.`);
    }
    for (const name of added) names.add(name);
    return undefined;
  }
}

/** A member of a place (`home.city`, `home.loc.lat`) is none of its own. */
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
