import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { shownSupplementRecord } from "@headwater/projection";
import type { Session } from "@headwater/stores/postgres";
import type { Cursors } from "../../paging/cursors.ts";
import { listAnswer } from "../../paging/listAnswer.ts";
import { readPage } from "../../paging/page.ts";
import { expectWholePage } from "../../paging/pageBytes.ts";
import type { ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { countRecords, readRecords } from "../recordPages.ts";
import { readFilters, readSort } from "../recordQuery.ts";
import { pickRecordFields } from "../recordShape.ts";
import { expectTable } from "../tableShape.ts";
import { cursorKey, ownParameters, type RecordsQuery } from "./schema.ts";

interface Asked {
  readonly query: RecordsQuery;
  readonly account: Account;
}

interface Reading {
  readonly session: Session;
  readonly cursors: Cursors;
}

/** Throws 404 for an unknown table, 400 and 409 for filters, 400 and 422 for pages. */
export async function listRecords(
  key: string,
  asked: Asked,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
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
  const listed = { rows: records.map((one) => pick(shownSupplementRecord(one))), nextCursor };
  return listAnswer({ path: `/v2/supplements/${encodeURIComponent(key)}/records`, query, page, listed, total });
}
