import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countAudiences, type ListedAudience, pageAudiences } from "../audiences.ts";
import { audienceExample, audienceRecord, audienceShape, LISTED_MEMBERS } from "../audienceView.ts";
import { shownCriteria } from "../shownCriteria.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "createdAt", "key", "name"]).optional(),
  tags: storableText(4_096)
    .min(1)
    .describe("Names of tags, with commas between: audiences with one of them.")
    .optional(),
});
type AudiencesQuery = z.output<typeof query>;

const cursorKey = z.strictObject({
  createdAt: z.number().int(),
  key: storableText(1_024),
  /** Given in lists by name. */
  name: storableText(1_024).optional(),
});

const audiencesAnswer = pageOf(audienceShape.partial());

const audiencesExample = {
  data: [audienceExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** Audiences by (time of creation, key), by (name, key), or by key. Throws 422 `use_cursor` for a numbered page that would hold too much. */
async function listAudiencesOf(
  query: AudiencesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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

export function listAudiences(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/audiences",
    operationId: "listAudiences",
    summary: "Lists saved audiences in order of creation.",
    description:
      "A page holds at most 4 MiB of criteria; a larger page ends early and continues at `next_cursor`. Without criteria (`fields=key,name`) pages are always full.",
    tags: ["audiences"],
    answers: { 200: { description: "A page of audiences.", schema: audiencesAnswer, example: audiencesExample } },
    auth: "basic",
    scope: "audiences:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listAudiencesOf(given, caller.account, ports);
    },
  });
}
