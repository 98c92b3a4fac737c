import type { Random } from "../harness/random.ts";
import type { Person } from "./people.ts";

export const listNames = ["spring", "vip", "newsletter", "returns", "uk", "germany"] as const;

type Members = Readonly<Record<string, unknown>>;

const FIRST_EVENT_MS = Date.UTC(2025, 0, 1);
const EVENTS_STORED = 4;
const REPEATED_SHARE = 0.12;
const NOT_CREATED_SHARE = 0.08;

/** Bodies of all operations, as senders of one account would send them. */
export function createItems(random: Random) {
  const events = new Map<number, Members[]>();
  let eventsCreated = 0;

  function activities(person: Person): Members {
    const known = events.get(person.index) ?? [];
    const again = known[random.int(known.length)];
    if (again !== undefined && random.chance(REPEATED_SHARE)) return again;
    const body = {
      contact: random.chance(0.3) ? { identifiers: identifiers(random, person) } : contactWrite(random, person),
      contactactivities: Array.from({ length: random.between(1, 5) }, event),
    };
    events.set(person.index, [body, ...known].slice(0, EVENTS_STORED));
    return body;
  }

  /** Every event has a time of its own: ClickHouse's second line against doubles is never what hides one. */
  function event(): Members {
    eventsCreated++;
    const time = new Date(FIRST_EVENT_MS + eventsCreated * 1000).toISOString();
    const properties = { category: random.pick(["shoes", "hats", "books"]), value: random.int(500) };
    const name = random.pick(["browse", "purchase", "signup"]);
    return random.chance(0.8) ? { name, time, UID: `u${eventsCreated}`, properties } : { name, time, properties };
  }

  return {
    createContactactivities: activities,
    upsertContact: (person: Person) => contactWrite(random, person),
    upsertOrder: (person: Person) => ({ contact: contactWrite(random, person), order: order(random, person) }),
    addContactsToList: (person: Person) => ({
      ...listBody(random, person),
      canBeCreated: !person.isGhost && random.chance(0.8),
    }),
    removeContactsFromList: (person: Person) => listBody(random, person),
    addProductsToCart: (person: Person) => ({ contact: contactWrite(random, person), ...added(random, person) }),
    removeProductsFromCart: (person: Person) => ({ contact: contactWrite(random, person), products: removed(random) }),
    upsertSupplementsRecords: (person: Person) => supplementBody(random, person),
  };
}

function identifiers(random: Random, { email, customerIds, anonymousId }: Person): Record<string, string> {
  const customer_id = random.pick(customerIds);
  const kind = random.int(20);
  if (kind < 10) return { email };
  if (kind < 13) return { customer_id, email };
  if (kind < 16) return { customer_id };
  if (kind < 18) return { anonymousId };
  return kind < 19 ? { anonymousId, email } : { anonymousId, customer_id, email };
}

function contactWrite(random: Random, person: Person): Members {
  const found = identifiers(random, person);
  if (random.chance(0.1)) return { identifiers: found };
  const isCreated = !person.isGhost && !random.chance(NOT_CREATED_SHARE);
  return {
    identifiers: found,
    attributes: attributes(random),
    ...(isCreated ? { canBeCreated: true } : {}),
    ...(random.chance(0.85) ? { canBeUpdated: true } : {}),
    ...(random.chance(0.1) ? { forceSubscribe: true } : {}),
    ...(random.chance(0.4) ? { mergeOptions: mergeOptions(random) } : {}),
  };
}

function mergeOptions(random: Random): Members {
  if (random.chance(0.6)) return { mergeAllowed: true };
  return { mergeAllowed: true, mergeableSecondaryKeys: ["customer_id", "anonymousId"] };
}

function attributes(random: Random): Members {
  const status = random.pick(["subscribed", "subscribed", "unsubscribed", "none"]);
  const parts: readonly [Members, ...Members[]] = [
    { tier: random.pick(["gold", "silver", "bronze"]) },
    { score: random.int(20) },
    { vip: random.chance(0.5) },
    { note: random.pick([null, "", "called", "wrote"]) },
    { tags: random.pick([["a"], ["a", "b"], []]) },
    { channels: { [random.pick(["email", "sms"])]: { subscribeStatus: status } } },
  ];
  return Object.assign({}, ...Array.from({ length: random.between(1, 3) }, () => random.pick(parts)));
}

function order(random: Random, person: Person): Members {
  const items = Array.from({ length: random.between(1, 2) }, () => ({
    productID: `product-${random.int(50)}`,
    sku: "one",
    name: "A thing",
    itemPrice: `${random.int(100)}.${random.between(10, 99)}`,
    qty: random.between(-1, 4),
  }));
  return {
    orderID: `o-${person.index}-${random.int(5)}`,
    purchaseDate: new Date(FIRST_EVENT_MS + random.int(300) * 86_400_000).toISOString(),
    status: random.pick(["paid", "shipped", "Cancelled"]),
    items,
    ...(random.chance(0.2) ? { totalAmount: `${random.int(500)}.5` } : {}),
    ...(random.chance(0.2) ? { storeID: `store-${random.int(3)}` } : {}),
    ...(random.chance(0.3) ? { cartID: cartId(random, person) } : {}),
  };
}

function listBody(random: Random, person: Person): Members {
  return { identifiers: [identifiers(random, person)], listName: random.pick(listNames) };
}

function cartId(random: Random, person: Person): string {
  return `cart-${person.index}-${random.int(2)}`;
}

function added(random: Random, person: Person): Members {
  const products = Array.from({ length: random.between(1, 3) }, () => ({
    productID: `product-${random.int(4)}`,
    sku: random.pick(["one", "two"]),
    category: "things",
    name: random.pick(["A thing", "The thing"]),
    itemPrice: `${random.int(100)}.${random.between(10, 99)}`,
    qty: random.between(1, 3),
  }));
  const cart = {
    ...(random.chance(0.5) ? { cartID: cartId(random, person) } : {}),
    ...(random.chance(0.1) ? { expiration: random.pick(["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"]) } : {}),
  };
  return random.chance(0.7) ? { products, cart } : { products };
}

function removed(random: Random): readonly Members[] {
  return Array.from({ length: random.between(1, 2) }, () => ({
    productID: `product-${random.int(4)}`,
    qty: random.between(1, 4),
    ...(random.chance(0.5) ? { sku: random.pick(["one", "two", null]) } : {}),
  }));
}

/** A record that belongs to a contact always names it, so that all its writes are on the contact's partition. */
function supplementBody(random: Random, person: Person): Members {
  const supplement = random.pick(["cars", "cards"]);
  const records = Array.from({ length: random.between(1, 4) }, () => ({
    id: `${person.index}-${random.int(3)}`,
    ...(supplement === "cards" ? { email: person.email } : {}),
    ...(random.chance(0.7) ? { model: random.pick(["A", "B", null]) } : {}),
    ...(random.chance(0.5) ? { year: random.int(3) } : {}),
    ...(random.chance(0.3) ? { tags: random.pick([["a"], ["a", "b"], []]) } : {}),
  }));
  return { supplement, records };
}
