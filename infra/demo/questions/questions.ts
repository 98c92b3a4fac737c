import { z } from "zod";
import { countryList, spendList } from "../dataset/lists.ts";
import type { HttpApi } from "../httpApi.ts";
import { count } from "../progress.ts";
import { allLists, countOfList } from "./lists.ts";

/** Something a person would like to know, and how to ask the API for it. */
export interface Question {
  readonly text: string;
  /** The request in short. */
  readonly request: string;
  /** @param after a receipt: the answer has seen what it stands for. */
  ask(api: HttpApi, after: string | undefined): Promise<string>;
}

const COUNTRIES_DISPLAYED = 5;
const counted = z.object({ count: z.number() });

const orderedTwice = {
  and: [
    { list: countryList("United Kingdom"), op: "in" },
    {
      order: true,
      where: [{ field: "totalAmount", op: "gt", value: 0 }],
      count: { op: "gte", value: 2 },
      within: { last: { n: 30, unit: "day" } },
    },
  ],
  asOf: "2011-01-01T00:00:00Z",
  basis: "event",
};

const sleepingSpenders = {
  and: [{ list: spendList(500), op: "in" }],
  exclude: { event: "purchase", within: { from: "2011-09-01T00:00:00Z" } },
};

export const questions: readonly Question[] = [
  countQuestion(
    "How many customers in the United Kingdom had ordered twice within 30 days as of 31 December 2010?",
    orderedTwice,
  ),
  countQuestion(
    "How many who spent more than 500 pounds in all have bought nothing since 1 September 2011?",
    sleepingSpenders,
  ),
  {
    text: "In which countries do most customers live?",
    request: "GET /v2/accountlists, GET /v2/accountlists/{id}/count",
    ask: askForCountries,
  },
];

function countQuestion(text: string, criteria: object): Question {
  return {
    text,
    request: `POST /v2/audiencecount ${JSON.stringify(criteria)}`,
    async ask(api, after) {
      const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
      return `${count(counted.parse(await api.post(`/v2/audiencecount${query}`, criteria)).count)} customers`;
    },
  };
}

async function askForCountries(api: HttpApi): Promise<string> {
  const prefix = countryList("");
  const lists = (await allLists(api)).filter(({ name }) => name.startsWith(prefix));
  const sizes: { readonly country: string; readonly size: number }[] = [];
  for (const { id, name } of lists)
    sizes.push({ country: name.slice(prefix.length), size: await countOfList(api, id) });
  return sizes
    .toSorted((left, right) => right.size - left.size)
    .slice(0, COUNTRIES_DISPLAYED)
    .map(({ country, size }) => `${country} ${count(size)}`)
    .join(", ");
}
