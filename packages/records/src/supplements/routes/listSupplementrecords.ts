import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import type { Cursors } from "@headwater/api/paging/cursors";
import { listAnswer } from "@headwater/api/paging/listAnswer";
import { readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { supplementRecordView } from "../../views/supplementRecordView.ts";
import { countRecords, readRecords } from "../recordPages.ts";
import { readFilters, readSort } from "../recordQuery.ts";
import { pickRecordFields, recordAnswer, recordExample } from "../recordShape.ts";
import { expectTable, TABLE_UNKNOWN, tableParams } from "../tableShape.ts";

const FILTER_CHARACTERS_MAX = 1_024;
const own = { ...listQuery, sort_by: storableText(1_024).optional() };

/** Every other parameter is a filter. */
const query = z.object(own).catchall(storableText(FILTER_CHARACTERS_MAX));
type RecordsQuery = z.output<typeof query>;

const ownParameters: ReadonlySet<string> = new Set(Object.keys(own));

const cursorKey = z.strictObject({ key: storableText(4_096), id: storableText(256) });

const recordsAnswer = pageOf(recordAnswer.partial());
const recordsExample = { data: [recordExample], pagination: { per_page: 25, page: 1, next_cursor: null } };

interface Asked {
  readonly query: RecordsQuery;
  readonly account: Account;
}

interface Reading {
  readonly session: Session;
  readonly cursors: Cursors;
}

/** Throws 404 for an unknown table, 400 and 409 for filters, 400 and 422 for pages. */
async function listRecords(
  key: string,
  asked: Asked,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
): Promise<Answer> {
  return withSnapshot(postgres, (session) => listAtOnce(key, asked, { session, cursors }));
}

async function listAtOnce(key: string, { query, account }: Asked, { session, cursors }: Reading): Promise<Answer> {
  const table = await expectTable(session, account.number, key);
  const filters = readFilters(query, table, ownParameters);
  const sort = readSort(query.sort_by, table, filters);
  const list = `supplement ${table.id} by ${sort?.field ?? ""}`;
  const page = readPage(query, { list, key: cursorKey, direction: "asc", account: account.number, cursors });
  const { records, next, isCut } = await readRecords(session, { table, filters, sort, page });
  expectWholePage(query, { rows: records, isCut }, page.perPage);
  const total = query.return_count === "true" ? await countRecords(session, { table, filters }) : undefined;
  const pick = pickRecordFields(query.fields);
  const nextCursor = next === undefined ? null : page.cursorAfter(next);
  const listed = { rows: records.map((one) => pick(supplementRecordView(one))), nextCursor };
  return listAnswer({ path: `/v2/supplements/${encodeURIComponent(key)}/records`, query, page, listed, total });
}

export function listSupplementrecords(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements/{key}/records",
    operationId: "listSupplementrecords",
    summary: "Lists the records of a table, filtered by indexed fields.",
    description: `\`field=v\` and \`field[gt|gte|lt|lte|eq]=v\` filter by an indexed field: numbers as numbers, dates as times, strings by their bytes, of an array whether it holds the value, of a geo value its members (\`home.city=Rome\`, \`home.loc.lat[gt]=41\`). \`sort_by\` is \`id\` or an indexed string, number or date; without it records are in the order of the first range that filters them, else of ids. Records without the field come last. Where filters leave out many records a page may hold fewer than \`per_page\`: \`next_cursor\` is null at the end alone. ${PAGE_BYTES_NOTE}`,
    tags: ["supplements"],
    answers: {
      200: { description: "A page of records.", schema: recordsAnswer, example: recordsExample },
      400: { description: "BAD_REQUEST: a field is not indexed; `allowed` names those that are. INVALID_CURSOR." },
      404: TABLE_UNKNOWN,
      409: { description: "NOT_YET_APPLIED: the index is being built, or `after` timed out." },
    },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    params: tableParams,
    query,
    handler: async ({ params: { key }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listRecords(key, { query: input, account: caller.account }, ports);
    },
  });
}
