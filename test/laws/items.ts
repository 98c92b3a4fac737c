import { type MemberKind, type Members, membersOf } from "./members.ts";

/** Ingredients of one item. */
export interface Drawn {
  readonly kind: MemberKind;
  readonly identifiers: number;
  readonly channels: number;
  readonly elements: number;
  /** Members that no shape names. */
  readonly unknown: number;
  /** Wrong values, besides. */
  readonly wrong: number;
}

const ITEM_BYTES = 256 * 1024;
const LEVELS = { attributes: 58, properties: 5 };

/** An item of each operation that is as large as one may be. */
export const itemsOf: Readonly<Record<string, (drawn: Drawn) => Members>> = {
  upsertContact: (drawn) => ({ ...contactOf(drawn, capacityFor(drawn)), ...unknownOf(drawn) }),
  createContactactivities: (drawn) => {
    const events = Math.max(1, Math.min(100, drawn.elements));
    const properties = freeForm(drawn, capacityFor(drawn) / events / 1.2, LEVELS.properties, 1_000);
    const event = { name: "browse", time: "2026-01-09T22:47:12Z", properties };
    return { contact: contactOf(drawn, 200), contactactivities: filled(events, () => event), ...unknownOf(drawn) };
  },
  addContactsToList: (drawn) => ({ ...listOf(drawn), ...unknownOf(drawn) }),
  removeContactsFromList: (drawn) => ({ ...listOf(drawn), ...unknownOf(drawn) }),
  addProductsToCart: (drawn) => {
    const lines = Math.max(1, Math.min(500, drawn.elements));
    const attr = freeForm(drawn, capacityFor(drawn) / lines / 1.5, LEVELS.properties, 10_000);
    const products = filled(lines, (index) => ({ ...line(index), category: "c", qty: 1, attr }));
    return { contact: contactOf(drawn, 200), products, ...unknownOf(drawn) };
  },
  removeProductsFromCart: (drawn) => {
    const products = filled(Math.max(1, Math.min(500, drawn.elements)), (index) => ({
      productID: `p${index}`,
      qty: 1,
    }));
    return { contact: contactOf(drawn, 200), products, ...unknownOf(drawn) };
  },
  upsertSupplementsRecords: (drawn) => {
    const records = Math.max(1, Math.min(500, drawn.elements));
    const fields = freeForm(drawn, capacityFor(drawn) / records / 1.2, LEVELS.attributes, 999);
    return {
      supplement: "cars",
      records: filled(records, (index) => ({ ...fields, id: `r${index}` })),
      ...unknownOf(drawn),
    };
  },
  upsertOrder: (drawn) => {
    const items = Math.max(1, Math.min(1_000, drawn.elements));
    const properties = freeForm(drawn, capacityFor(drawn) / items / 1.5, LEVELS.properties, 10_000);
    const order = {
      orderID: "o",
      purchaseDate: "2026-01-09",
      items: filled(items, (index) => ({ ...line(index), properties })),
    };
    return { contact: contactOf(drawn, 200), order, ...unknownOf(drawn) };
  },
};

function capacityFor({ unknown, wrong, identifiers, channels }: Drawn): number {
  return Math.max(256, ITEM_BYTES - 16 * unknown - 60 * wrong - 40 * identifiers - 80 * channels - 4_096) / 1.1;
}

function contactOf(drawn: Drawn, bytes: number): Members {
  const { identifiers, channels, wrong } = drawn;
  const free = bytes < 512 ? { a: 1 } : freeForm(drawn, bytes, LEVELS.attributes, 100_000);
  const channel = {
    address: "+49 228 12345",
    subscribeStatus: "subscribed",
    subscribedAt: "2026-01-09T22:47:12.123+02:00",
  };
  const attributes = {
    ...free,
    ...(channels > 0 && { channels: Object.fromEntries(filled(channels, (index) => [`channel-${index}`, channel])) }),
  };
  const names = Object.fromEntries([
    ["email", "law@example.com"],
    ...filled(identifiers, (index) => [`name-${index}`, `e\u0301value ${index}`]),
    ...filled(wrong, (index) => [`wrong-${index}`, { not: "an identifier" }]),
  ]);
  return { identifiers: names, attributes, canBeCreated: true, canBeUpdated: true };
}

function listOf({ elements, wrong }: Drawn): Members {
  const people = filled(Math.max(1, Math.min(1_000, elements)), (index) => ({ email: `law-${index}@example.com` }));
  return {
    identifiers: [...people, ...filled(Math.min(wrong, 1_000 - people.length), () => ({ email: {} }))],
    listName: "law",
  };
}

function freeForm({ kind }: Drawn, bytes: number, levelsMax: number, membersMax: number): Members {
  return membersOf(kind, { bytes, levelsMax, membersMax });
}

function unknownOf({ unknown }: Drawn): Members {
  return Object.fromEntries(filled(unknown, (index) => [`identifers${index.toString(36)}`, 1]));
}

function line(index: number): Members {
  return { productID: `p${index}`, sku: `s${index}`, name: "n", itemPrice: "99999999999999.9999" };
}

function filled<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => make(index));
}
