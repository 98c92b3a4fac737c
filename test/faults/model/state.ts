import { ModelCarts } from "./carts.ts";
import { type Found, identifiersOf, ModelContacts } from "./contacts.ts";
import {
  equal,
  type Members,
  type ModelActivity,
  type ModelContact,
  type ModelMembership,
  type ModelOrder,
  type ModelOutcome,
  membersOf,
  type Origin,
  survivorOf,
  timeOf,
} from "./shapes.ts";
import { ModelSupplements } from "./supplements.ts";

/** Everything the log says, in maps. */
export class ModelState {
  readonly contacts = new ModelContacts((survivor, dead) => {
    this.#joinMemberships(survivor, dead);
    this.carts.join(survivor, dead);
  });
  readonly carts = new ModelCarts();
  readonly supplements = new ModelSupplements((email) => this.contacts.ownerOf("email", email));
  /** Memberships by list and cid; tombstones included. */
  readonly memberships = new Map<string, ModelMembership>();
  readonly orders = new Map<string, ModelOrder>();
  readonly activities = new Map<string, ModelActivity>();
  readonly #seen = new Set<string>();

  apply(operation: string, record: Members, origin: Origin): ModelOutcome {
    switch (operation) {
      case "upsertContact":
        return this.#upsertContact(record, origin);
      case "createContactactivities":
        return this.#activity(record, origin);
      case "addContactsToList":
        return this.#list(record, true, origin);
      case "removeContactsFromList":
        return this.#list(record, false, origin);
      case "upsertOrder":
        return this.#order(record, origin);
      case "addProductsToCart":
      case "removeProductsFromCart":
        return this.#cart(operation, record, origin);
      case "upsertSupplementsRecords":
        return this.supplements.upsert(record, origin);
      default:
        throw new Error(`the model knows no ${operation}`);
    }
  }

  #upsertContact(record: Members, origin: Origin): ModelOutcome {
    const found = this.contacts.resolve(membersOf(record.contact), origin);
    if (found === undefined) return { kind: "unknown" };
    const { identityChanged, tally, updateNotAllowed, warnings } = found;
    if (identityChanged || tally.changed > 0) return { kind: "applied", warnings };
    if (updateNotAllowed) {
      warnings.delete("UPDATE_NOT_ALLOWED");
      return { kind: "skipped", code: "UPDATE_NOT_ALLOWED", warnings };
    }
    return { kind: "skipped", code: tally.superseded > 0 ? "SUPERSEDED" : "UNCHANGED", warnings };
  }

  #activity(record: Members, origin: Origin): ModelOutcome {
    const contact = membersOf(record.contact);
    const { UID, name, time } = membersOf(record.event);
    const key = `${identifiersOf(contact)[0]?.join("\n")}\n${UID}`;
    if (UID !== undefined && this.#seen.has(key)) return this.#repeat(contact, origin);
    const found = this.contacts.resolve(contact, origin);
    if (found === undefined) return { kind: "unknown" };
    if (UID !== undefined) this.#seen.add(key);
    const { recordId } = origin;
    const uid = String(UID ?? recordId);
    const timeMs = Date.parse(String(time));
    this.activities.set(recordId, { recordId, contact: found.contact, uid, name: String(name), timeMs });
    return { kind: "applied", warnings: found.warnings };
  }

  /** The attributes next to a repeat are written, and make no contact. */
  #repeat(contact: Members, origin: Origin): ModelOutcome {
    const write = { ...contact, canBeCreated: false };
    const found = contact.attributes === undefined ? undefined : this.contacts.resolve(write, origin);
    return { kind: "skipped", code: "DUPLICATE", warnings: found?.warnings ?? new Set() };
  }

  #list(record: Members, present: boolean, origin: Origin): ModelOutcome {
    const write = { ...membersOf(record.contact), canBeCreated: present && record.canBeCreated === true };
    const found = this.contacts.resolve(write, origin);
    if (found === undefined) return { kind: "unknown" };
    const written = this.#setMembership(String(record.listName), found, { present, origin });
    if (written === "changed" || found.identityChanged) return { kind: "applied", warnings: found.warnings };
    const unchanged = present ? "UNCHANGED" : "NOT_A_MEMBER";
    return { kind: "skipped", code: written === "superseded" ? "SUPERSEDED" : unchanged, warnings: found.warnings };
  }

  #setMembership(
    list: string,
    { contact }: Found,
    { present, origin }: { readonly present: boolean; readonly origin: Origin },
  ): "changed" | "unchanged" | "superseded" {
    const key = `${list}\n${contact.cid}`;
    const before = this.memberships.get(key);
    const { version } = origin;
    if (before !== undefined && before.version > version) return "superseded";
    const isSame = (before?.present ?? false) === present;
    const joinedAt = isSame && before !== undefined ? before.joinedAt : timeOf(version);
    this.memberships.set(key, { contact, list, present, joinedAt, version });
    return isSame ? "unchanged" : "changed";
  }

  #joinMemberships(survivor: ModelContact, dead: ModelContact): void {
    for (const [key, theirs] of [...this.memberships]) {
      if (theirs.contact !== dead) continue;
      this.memberships.delete(key);
      const ours = this.memberships.get(`${theirs.list}\n${survivor.cid}`);
      if (ours !== undefined && ours.version >= theirs.version) continue;
      this.memberships.set(`${theirs.list}\n${survivor.cid}`, { ...theirs, contact: survivor });
    }
  }

  #order(record: Members, origin: Origin): ModelOutcome {
    const write = membersOf(record.contact);
    const found = this.contacts.resolve(write, origin);
    if (found === undefined) return { kind: "unknown" };
    const { orderID, ...members } = membersOf(record.order);
    const orderId = String(orderID);
    const known = this.orders.get(orderId);
    const order: ModelOrder = known ?? { orderId, contact: found.contact, members: new Map() };
    const isAnothers = known !== undefined && survivorOf(known.contact) !== found.contact;
    const isMoved = isAnothers && write.canBeUpdated === true;
    if (isMoved) order.contact = found.contact;
    if (isAnothers && !isMoved) found.warnings.add("UPDATE_NOT_ALLOWED");
    this.orders.set(orderId, order);
    const { changed, superseded } = writeOrder(order, members, origin);
    const { cartID } = members;
    const isEmptied = cartID !== undefined && this.carts.order(found.contact, cartID, origin.version);
    const isApplied =
      known === undefined || isMoved || isEmptied || changed > 0 || found.identityChanged || found.tally.changed > 0;
    if (isApplied) return { kind: "applied", warnings: found.warnings };
    return { kind: "skipped", code: superseded > 0 ? "SUPERSEDED" : "UNCHANGED", warnings: found.warnings };
  }

  #cart(operation: string, record: Members, origin: Origin): ModelOutcome {
    const found = this.contacts.resolve(membersOf(record.contact), origin);
    if (found === undefined) return { kind: "unknown" };
    const { contact, identityChanged, tally, warnings } = found;
    if (operation === "addProductsToCart") this.carts.add(contact, record, origin.version);
    const isChanged = operation === "addProductsToCart" || this.carts.remove(contact, record, origin.version);
    if (isChanged || identityChanged || tally.changed > 0) return { kind: "applied", warnings };
    return { kind: "skipped", code: "UNCHANGED", warnings };
  }
}

function writeOrder(order: ModelOrder, members: Members, { version }: Origin) {
  const tally = { changed: 0, superseded: 0 };
  for (const [name, value] of Object.entries(members)) {
    const before = order.members.get(name);
    if (before !== undefined && before.version > version) {
      tally.superseded++;
      continue;
    }
    if (!equal(before?.value ?? null, value)) tally.changed++;
    order.members.set(name, { value, version });
  }
  return tally;
}
