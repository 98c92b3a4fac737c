import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { countAudiences, type ListedAudience, pageAudiences } from "@headwater/stores/audiences";
import type { Session } from "@headwater/stores/postgres";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { audienceRecord, LISTED_MEMBERS } from "../audienceView.ts";
import { shownCriteria } from "../shownCriteria.ts";
import { type AudiencesQuery, cursorKey } from "./schema.ts";

const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** Audiences by (time of creation, key), by (name, key), or by key. Throws 422 `use_cursor` for a numbered page that would hold too much. */
export async function listAudiencesOf(
  query: AudiencesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { sort_by = "createdAt" } = query;
  const sortBy = sort_by === "ct" ? "createdAt" : sort_by;
  const page = readPage(query, { list: `audiences by ${sortBy}`, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, LISTED_MEMBERS);
  const filters = {
    account,
    ...(query.tags !== undefined && { tags: query.tags.split(",").map((tag) => tag.trim()) }),
  };
  const { after, direction, skip, perPage } = page;
  const isShown = query.fields === undefined || "criteria" in pick({ criteria: "" });
  const criteriaBytesMax = isShown ? PAGE_BYTES_MAX : 0;
  const bounds = { sortBy, direction, skip, rowsMax: perPage + 1, criteriaBytesMax, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageAudiences(session, { ...filters, ...bounds }),
    count: (session) => countAudiences(session, filters),
  });
  const kept = isShown ? rowsWithRoom(rows, perPage) : perPage;
  if (kept < Math.min(perPage, rows.length) && query.page !== undefined) throw tooMuch();
  const cut = cutPage(rows, { ...page, perPage: kept }, ({ createdAt, key, name }) => ({
    createdAt,
    key,
    ...(sortBy === "name" && { name }),
  }));
  const listed = { rows: (await records(postgres, cut.rows)).map(pick), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/audiences", query, page, listed, total });
}

/** Rows of the page that were read with their criteria: all, or those before the first that had no room. */
function rowsWithRoom(rows: readonly ListedAudience[], perPage: number): number {
  const first = rows.findIndex(({ criteria }) => criteria === null);
  return first === -1 ? perPage : Math.min(first, perPage);
}

async function records(session: Session, rows: readonly ListedAudience[]): Promise<object[]> {
  const read = rows.flatMap(({ criteria, ...row }) => (criteria === null ? [] : [{ ...row, criteria }]));
  const shown = await shownCriteria(session, read);
  const criteriaOf = new Map(read.map(({ id }, index) => [id, shown[index]]));
  return rows.map((row) => audienceRecord(row, criteriaOf.get(row.id)));
}

function tooMuch() {
  const message = `A page holds at most ${PAGE_BYTES_MAX} bytes of criteria. Continue with the cursor, or leave out \`criteria\` with \`fields\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
