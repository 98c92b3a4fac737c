import { createRandom, pick } from "./random.ts";

/** Operations whose intake the bench sends over HTTP. */
export const ingressOperations = ["upsertContact", "createContactactivities"] as const;
/** Every operation, in an order in which each finds what it needs. */
export const operationNames = [
  ...ingressOperations,
  "addContactsToList",
  "removeContactsFromList",
  "addProductsToCart",
  "removeProductsFromCart",
  "upsertSupplementsRecords",
  "upsertOrder",
] as const;
export type OperationName = (typeof operationNames)[number];

/** The table of the supplement records, which the bench defines. */
export const SUPPLEMENT = "cars";

const FIRST_NAMES = ["Ann", "Bela", "Chidi", "Dorothea", "Eskil", "Fatima", "Giulia", "Hiroshi"] as const;
const LAST_NAMES = ["Abernathy", "Baranov", "Castellanos", "Devereux", "Eriksen", "Fitzgerald"] as const;
const CITIES = ["Rotterdam", "Guadalajara", "Wellington", "San Diego", "Gothenburg", "Montevideo"] as const;
const TIERS = ["bronze", "silver", "gold", "platinum"] as const;
const ACTIONS = ["browse", "search", "addToCart", "viewProduct"] as const;
const CATEGORIES = ["Shoes", "Jackets", "Kitchen", "Garden", "Electronics", "Toys"] as const;
const DAY_MS = 86_400_000;

/** The email address of the nth contact: as long for every n below 10^9. */
export function emailOf(contact: number): string {
  return `ann.${digits(contact)}@example.com`;
}

/**
 * One item of about 330 bytes, as JSON text. `round` makes a later write of the same contact different in most of its
 * attributes; activities have one identifier and a UID.
 */
export function itemText(operation: OperationName, contact: number, round = 0): string {
  const random = createRandom(Math.imul(contact + 1, 2_654_435_761) ^ Math.imul(round + 1, 40_503));
  return JSON.stringify(makers[operation](contact, random, round));
}

/** An item about the nth contact. */
type MakeItem = (contact: number, random: () => number, round: number) => object;

const makers: Readonly<Record<OperationName, MakeItem>> = {
  upsertContact: contactItem,
  createContactactivities: (contact, random, round) => activityItem(contact, round, random),
  addContactsToList: (contact) => ({ ...listItem(contact), canBeCreated: true }),
  removeContactsFromList: listItem,
  addProductsToCart: (contact, random) => ({
    contact: referenceTo(contact),
    products: [{ ...product(random), category: pick(random, CATEGORIES), description: "As seen in the newsletter" }],
    cart: { cartID: `cart-${digits(contact)}`, url: `https://shop.example.com/cart/${digits(contact)}` },
  }),
  removeProductsFromCart: (contact, random) => {
    const { productID, sku } = product(random);
    return { contact: referenceTo(contact), products: [{ productID, sku, qty: 1 }] };
  },
  upsertSupplementsRecords: (contact, random) => ({
    supplement: SUPPLEMENT,
    records: [
      {
        id: `car-${digits(contact)}`,
        email: emailOf(contact),
        model: pick(random, LAST_NAMES),
        city: pick(random, CITIES),
        tier: pick(random, TIERS),
        year: 1990 + Math.floor(random() * 36),
        bought: new Date(FIRST_EVENT_MS).toISOString(),
        owner: { first_name: pick(random, FIRST_NAMES), last_name: pick(random, LAST_NAMES) },
      },
    ],
  }),
  upsertOrder: (contact, random) => ({
    contact: referenceTo(contact),
    order: {
      orderID: `order-${digits(contact)}`,
      purchaseDate: new Date(FIRST_EVENT_MS + Math.floor(random() * 30 * DAY_MS)).toISOString(),
      status: "paid",
      items: [product(random)],
      cartID: `cart-${digits(contact)}`,
    },
  }),
};

function referenceTo(contact: number) {
  return { identifiers: { email: emailOf(contact) } };
}

function listItem(contact: number) {
  return { identifiers: [{ email: emailOf(contact) }], listName: "newsletter" };
}

/** Draws a product: the same seed gives the same one, so that what was put into a cart is taken out. */
function product(random: () => number) {
  const sku = Math.floor(random() * 90_000) + 10_000;
  return {
    productID: `P-${sku}`,
    sku: `SKU-${sku}`,
    name: "White hanging heart T-light holder",
    itemPrice: `${Math.floor(random() * 200)}.95`,
    qty: 2,
    url: `https://shop.example.com/p/${sku}`,
  };
}

function contactItem(contact: number, random: () => number) {
  const email = emailOf(contact);
  return {
    identifiers: { email, customer_id: `C${digits(contact)}` },
    attributes: {
      first_name: pick(random, FIRST_NAMES),
      last_name: pick(random, LAST_NAMES),
      city: pick(random, CITIES),
      loyalty_tier: pick(random, TIERS),
      lifetime_value: Math.round(random() * 500_000) / 100,
      orders: Math.floor(random() * 40),
      channels: { email: { address: email, subscribeStatus: "subscribed" } },
    },
    canBeCreated: true,
    canBeUpdated: true,
  };
}

function activityItem(contact: number, round: number, random: () => number) {
  const sku = Math.floor(random() * 90_000) + 10_000;
  return {
    contact: { identifiers: { email: emailOf(contact) } },
    contactactivities: [
      {
        name: pick(random, ACTIONS),
        time: new Date(FIRST_EVENT_MS + Math.floor(random() * 30 * DAY_MS)).toISOString(),
        UID: `session-${digits(contact)}-${round}-${sku}`,
        properties: {
          category: pick(random, CATEGORIES),
          sku: `SKU-${sku}`,
          price: Math.round(random() * 20_000) / 100,
          currency: "EUR",
          referrer: "newsletter",
          url: `https://shop.example.com/p/${sku}`,
        },
      },
    ],
  };
}

/** Events lie in the 30 days after it: past for every clock, and the same in every run. */
const FIRST_EVENT_MS = Date.UTC(2026, 0, 1);

function digits(value: number): string {
  return String(value).padStart(9, "0");
}
