import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, type Page, readPage } from "@headwater/api/paging/page";
import { type Account, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { compareCauses, type DeadLetterCause, groupDeadLetters } from "../deadLetterCounts.ts";
import type { DeadLetterFilters } from "../deadLetters.ts";
import { CAUSE_MEMBERS, type CauseKey, causeKey, type DeadlettersQuery } from "./schema.ts";

const LIST = "deadletters/causes";

export interface CausesOf {
  readonly query: DeadlettersQuery;
  readonly filters: DeadLetterFilters;
  readonly account: Account;
}

/** Causes of refused records, the most frequent first unless `sort_dir=asc`. They are few, so each page groups them all. */
export async function listCauses(
  { query, filters, account }: CausesOf,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: causeKey, direction: "desc", account: account.number, cursors });
  const pick = pickFields(query.fields, CAUSE_MEMBERS);
  const causes = await groupDeadLetters(postgres, filters);
  const { rows, nextCursor } = cutPage(rowsOf(causes, page), page, ({ count, code, operation }) => ({
    count,
    code,
    operation,
  }));
  const listed = { rows: rows.map((row) => pick(causeRecord(row))), nextCursor };
  const total = query.return_count === "true" ? causes.length : undefined;
  return listAnswer({ path: "/v2/deadletters", query, page, listed, total });
}

/** Returns the rows of the page, and one more where there is one. */
function rowsOf(causes: readonly DeadLetterCause[], { direction, skip, after, perPage }: Page<CauseKey>) {
  const sign = direction === "desc" ? 1 : -1;
  const sorted = causes.toSorted((a, b) => sign * compareCauses(a, b));
  const left = after === undefined ? sorted.slice(skip) : sorted.filter((row) => sign * compareCauses(row, after) > 0);
  return left.slice(0, perPage + 1);
}

function causeRecord({ first, last, ...cause }: DeadLetterCause) {
  return { ...cause, first: toTimestamp(first), last: toTimestamp(last) };
}
