import { contactIdOf } from "@headwater/kernel";
import { mergeContacts } from "./merging.ts";
import { type Members, type ModelContact, membersOf, type Origin, survivorOf } from "./shapes.ts";
import { type Tally, writeAttributes } from "./writing.ts";

const orderOfTrial = ["email", "phone", "customer_id", "anonymousId"] as const;
const secondary: ReadonlySet<string> = new Set(["phone", "customer_id", "anonymousId"]);

export interface Found {
  readonly contact: ModelContact;
  readonly identityChanged: boolean;
  readonly updateNotAllowed: boolean;
  readonly tally: Tally;
  readonly warnings: Set<string>;
}

/** Contacts and who finds them, by the table "Which contact, and merging" of the specification. */
export class ModelContacts {
  readonly all: ModelContact[] = [];
  readonly owners = new Map<string, ModelContact>();
  readonly #merged: (survivor: ModelContact, dead: ModelContact) => void;

  constructor(merged: (survivor: ModelContact, dead: ModelContact) => void) {
    this.#merged = merged;
  }

  /** @returns undefined when no contact is found and none may be made. */
  resolve(write: Members, origin: Origin): Found | undefined {
    const identifiers = identifiersOf(write);
    const hits = [...new Set(identifiers.flatMap(([name, value]) => this.#find(name, value)))];
    const warnings = new Set<string>();
    const [first] = hits;
    if (first === undefined) {
      if (write.canBeCreated !== true) return undefined;
      const created = this.#create(origin);
      this.#attach(created, identifiers);
      return this.#update(created, write, { origin, warnings, isNew: true, identityChanged: true });
    }
    const contact = hits.length === 1 ? first : this.#mergeAll(hits, write, warnings);
    const wasMerged = hits.length > 1 && hits.some(({ mergedInto }) => mergedInto !== undefined);
    const attached = warnings.size === 0 && this.#attach(contact, identifiers);
    return this.#update(contact, write, { origin, warnings, isNew: false, identityChanged: wasMerged || attached });
  }

  /** The live contact that an identifier finds. */
  ownerOf(name: string, value: string): ModelContact | undefined {
    return this.#find(name, value)[0];
  }

  #find(name: string, value: string): ModelContact[] {
    const owner = this.owners.get(`${name}\n${value}`);
    return owner === undefined ? [] : [survivorOf(owner)];
  }

  #create({ accountId, recordId, version }: Origin): ModelContact {
    const built: ModelContact = {
      cid: contactIdOf(accountId, recordId),
      createdAt: Number.parseInt(version.slice(0, 11), 16),
      identifiers: new Map(),
      attributes: new Map(),
      channels: new Map(),
      mergedInto: undefined,
      wasMerged: false,
    };
    this.all.push(built);
    return built;
  }

  /** A name the contact has already is left. @returns whether anything was attached. */
  #attach(contact: ModelContact, identifiers: readonly (readonly [string, string])[]): boolean {
    const added = identifiers.filter(([name]) => !contact.identifiers.has(name));
    for (const [name, value] of added) {
      contact.identifiers.set(name, [value]);
      this.owners.set(`${name}\n${value}`, contact);
    }
    return added.length > 0;
  }

  #mergeAll(hits: readonly ModelContact[], write: Members, warnings: Set<string>): ModelContact {
    const { mergeAllowed, mergeableSecondaryKeys } = membersOf(write.mergeOptions);
    const overwritable = new Set<unknown>(Array.isArray(mergeableSecondaryKeys) ? mergeableSecondaryKeys : []);
    return hits.reduce((left, right) => {
      if (mergeAllowed !== true) {
        warnings.add("IDENTITY_CONFLICT");
        return left;
      }
      if (differ(left, right).some((name) => !(secondary.has(name) && overwritable.has(name)))) {
        warnings.add("MERGE_CONFLICT");
        return left;
      }
      return this.#merge(left, right);
    });
  }

  #merge(left: ModelContact, right: ModelContact): ModelContact {
    const [survivor, dead] = isFirst(left, right) ? ([left, right] as const) : ([right, left] as const);
    mergeContacts(survivor, dead);
    for (const [name, values] of survivor.identifiers) {
      for (const value of values) this.owners.set(`${name}\n${value}`, survivor);
    }
    this.#merged(survivor, dead);
    return survivor;
  }

  #update(contact: ModelContact, write: Members, step: Step): Found {
    const { warnings, identityChanged, isNew, origin } = step;
    const tally: Tally = { changed: 0, superseded: 0, statusKept: 0 };
    const isAllowed = isNew || write.canBeUpdated === true;
    const updateNotAllowed = write.attributes !== undefined && !isAllowed;
    if (updateNotAllowed) warnings.add("UPDATE_NOT_ALLOWED");
    if (write.attributes !== undefined && isAllowed) writeAttributes(contact, write, { origin, tally });
    if (tally.statusKept > 0) warnings.add("STATUS_KEPT");
    return { contact, identityChanged, updateNotAllowed, tally, warnings };
  }
}

interface Step {
  readonly origin: Origin;
  readonly warnings: Set<string>;
  readonly isNew: boolean;
  readonly identityChanged: boolean;
}

/** The record's identifiers in order of trial; the load sends canonical values only. */
export function identifiersOf(write: Members): (readonly [string, string])[] {
  const input = membersOf(write.identifiers);
  return orderOfTrial.flatMap((name) => (input[name] === undefined ? [] : [[name, String(input[name])] as const]));
}

function differ(left: ModelContact, right: ModelContact): string[] {
  return [...left.identifiers.keys()].filter((name) => {
    const other = right.identifiers.get(name);
    return other !== undefined && other[0] !== left.identifiers.get(name)?.[0];
  });
}

function isFirst(left: ModelContact, right: ModelContact): boolean {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt;
  return left.cid < right.cid;
}
