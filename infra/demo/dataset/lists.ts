import { type Customer, emailOf } from "./customers.ts";

/** Contacts in one body of `addContactsToList`. */
const CONTACTS_MAX = 1_000;
const TEN_THOUSANDTHS = 10_000n;

/** Customers who spent more than so many pounds, returns taken off. */
export const SPEND_POUNDS = [100, 500, 1_000] as const;

/** Everybody, added when all else was applied: a later start finds it and knows that the data are there. A file could be about another account. */
export const COMPLETE_LIST = "online-retail";

export interface ListBody {
  readonly body: object;
  readonly contacts: number;
}

/** The lists by country and by spend. */
export function toListBodies(customers: readonly Customer[]): ListBody[] {
  const byCountry = [...Map.groupBy(customers, ({ country }) => countryList(country))];
  const bySpend = SPEND_POUNDS.map((pounds): [string, Customer[]] => [
    spendList(pounds),
    customers.filter(({ spent }) => spent > BigInt(pounds) * TEN_THOUSANDTHS),
  ]);
  return [...byCountry, ...bySpend].flatMap(([name, members]) => toBodies(name, members));
}

export function toCompleteListBodies(customers: readonly Customer[]): ListBody[] {
  return toBodies(COMPLETE_LIST, customers);
}

/** `United Kingdom` -> `country-united-kingdom`. */
export function countryList(country: string): string {
  return `country-${country.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

export function spendList(pounds: (typeof SPEND_POUNDS)[number]): string {
  return `spend-over-${pounds}`;
}

function toBodies(listName: string, members: readonly Customer[]): ListBody[] {
  const bodies: ListBody[] = [];
  for (let from = 0; from < members.length; from += CONTACTS_MAX) {
    const some = members.slice(from, from + CONTACTS_MAX);
    const identifiers = some.map(({ id }) => ({ email: emailOf(id) }));
    bodies.push({ body: { listName, identifiers }, contacts: some.length });
  }
  return bodies;
}
