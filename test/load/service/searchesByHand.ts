import { readFile } from "node:fs/promises";
import { createCursors } from "@headwater/api/paging/cursors";
import { LISTS } from "../audience/seed.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";

/** A search and what somebody who knows the tables would ask for the same contacts. */
export interface Search {
  readonly name: string;
  /** Returns the path with its query. */
  path(bench: Bench, world: World): Promise<string>;
  /** @returns the cids of the page. */
  byHand(world: World): Promise<string[]>;
}

const PER_PAGE = 25;
/** Nine tenths of the contacts stand before it. */
const DEEP = 900_000;
const OF_ACCOUNT = "account = {account: UInt32}";
const GERMAN = `SELECT contact FROM contact_fields_current FINAL WHERE ${OF_ACCOUNT} AND field = 'attributes.country' AND text = 'DE'`;
const VIPS = `SELECT contact FROM memberships_current FINAL WHERE ${OF_ACCOUNT} AND list = 1 AND present = 1`;

interface Question {
  readonly name: string;
  readonly query: string;
  readonly sql: string;
}

const questions: readonly Question[] = [
  { name: "one attribute", query: "attributes[country]=DE", sql: GERMAN },
  { name: "a list", query: `list=${LISTS[0]}`, sql: VIPS },
  { name: "both", query: `attributes[country]=DE&list=${LISTS[0]}`, sql: `${GERMAN} AND contact IN (${VIPS})` },
];

/** First pages, and pages behind a deep cursor. */
export const searchesByHand: readonly Search[] = questions.flatMap((question) => [
  toSearch(question, 0),
  toSearch(question, DEEP),
]);

function toSearch({ name, query, sql }: Question, after: number): Search {
  return {
    name: `${name}, ${after === 0 ? "first page" : "deep cursor"}`,
    async path(bench, world) {
      const page = `/v2/contacts?${query}&per_page=${PER_PAGE}`;
      return after === 0 ? page : `${page}&cursor=${await cursorBehind(after, bench, world)}`;
    },
    async byHand({ clickhouse, postgres, account }) {
      const page = `${sql} AND contact > ${after} ORDER BY contact LIMIT ${PER_PAGE + 1}`;
      const found = await clickhouse.query<{ contact: number }>(page, { account: account.number });
      const numbers = found.slice(0, PER_PAGE).map(({ contact }) => contact);
      const rows = await postgres.query<{ cid: string }>(ROWS, [account.number, `{${numbers.join(",")}}`]);
      return rows.map(({ cid }) => cid);
    },
  };
}

/** Returns a cursor as the service seals it: walking the pages before it would take minutes. */
async function cursorBehind(contact: number, { secretFile }: Bench, { account }: World): Promise<string> {
  const secret = (await readFile(secretFile, "utf8")).trim();
  return createCursors(secret).seal({ account: account.number, list: "contacts", direction: "asc" }, contact);
}

const ROWS = {
  name: "bare_search_rows",
  text: `SELECT c.number, c.cid, c.created_at, c.modified_at, c.version, c.doc,
      (SELECT json_agg(json_build_object('name', l.name, 'joined_at', m.joined_at)) FROM memberships m
        JOIN lists l ON l.account = m.account AND l.id = m.list
        WHERE m.account = c.account AND m.contact = c.number AND m.present AND l.deleted_at IS NULL) AS lists
    FROM contacts c WHERE c.account = $1 AND c.number = ANY ($2::bigint[]) AND c.merged_into IS NULL ORDER BY c.number`,
} as const;
