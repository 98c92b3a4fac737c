import { factList, factText } from "@headwater/audience";
import { type Account, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readProgram } from "@headwater/stores/programs";
import { nextOf } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { RoutePorts } from "../../ports.ts";
import { questionOf, showQuery } from "../numbersQuery.ts";
import { unknownProgram } from "../programView.ts";
import { statsOf } from "../statsView.ts";
import { paginationOf } from "./pagination.ts";
import { cursorKey, type StatsQuery } from "./schema.ts";
import { readFactsOf, readStatRows, type ShownFacts, type StatRow } from "./statRows.ts";

export interface StatsCall {
  readonly id: string;
  readonly query: StatsQuery;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** The numbers of a program by message, newest first. Throws 404 `RECORD_NOT_FOUND`. */
export async function listStats(
  { id, query, account, signal }: StatsCall,
  { postgres, clickHouse, freshness, cursors }: Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Promise<Answer> {
  const program = await readProgram(postgres, account.number, id);
  if (program === undefined) throw unknownProgram();
  const question = questionOf(query, program, account);
  const { start_date, end_date, channel_key, channel_type } = query;
  // A cursor counts on in the same days and messages: those of another query would go on somewhere else.
  const list = JSON.stringify(["program stats", id, start_date, end_date, channel_key, channel_type]);
  const page = readPage(query, { list, key: cursorKey, direction: "desc", account: account.number, cursors });
  const asOf = await freshness();
  const { after, skip, perPage } = page;
  const bounds = { after, skip, rowsMax: perPage + 1 };
  const { rows, total } = await readStatRows(clickHouse, question, { page: bounds, signal });
  const cut = cutPage(rows, page, ({ sentAt, id: row }) => ({ sentAt, id: row }));
  const facts = await readFactsOf(clickHouse, account.number, cut.rows);
  const path = `/v2/programs/${encodeURIComponent(id)}/stats`;
  const shown = showQuery(query, account);
  const body = {
    data: cut.rows.map((row) => statRecord(row, facts.get(row.message))),
    query: { ...shown, ...(page.page !== undefined && { page: page.page }), per_page: perPage },
    pagination: paginationOf({ path, query, page, places: cut.rows.map(({ place }) => place), total, ...cut }),
    asOf: toTimestamp(asOf),
  };
  if (cut.nextCursor === null) return { status: 200, body };
  return { status: 200, body, headers: { Link: nextOf(path, query, cut.nextCursor) } };
}

function statRecord(row: StatRow, facts: ShownFacts | undefined): object {
  const text = (json: string | undefined) => factText(json ?? "") ?? null;
  return {
    message_id: row.id,
    message_key: text(facts?.fact_messageKey),
    orchestration_id: text(facts?.fact_orchestrationID),
    orchestration_name: text(facts?.fact_orchestrationName),
    subject: text(facts?.fact_subject),
    tags: factList(facts?.fact_tags ?? ""),
    channel_key: text(facts?.fact_channel),
    channel_type: text(facts?.fact_channelType),
    sent_at: toTimestamp(row.sentAt),
    stats: statsOf(row),
  };
}
