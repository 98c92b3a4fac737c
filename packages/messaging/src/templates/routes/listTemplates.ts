import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { Listing, ListPorts } from "../../batchMessages/routes/listBatchmessages.ts";
import { readAlertsView } from "../../messages/alerts.ts";
import { readPageStats } from "../../messages/shownStats.ts";
import { countTemplates, type ListedTemplate, pageTemplates, type TemplatePath } from "../templates.ts";
import {
  readTemplateSettings,
  TEMPLATE_MEMBERS,
  templateExample,
  templateRecord,
  templateShape,
} from "../templateView.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "key", "lm", "name"]).optional(),
  "ct[gt]": bound,
  "ct[gte]": bound,
  "ct[lt]": bound,
  "ct[lte]": bound,
  "lm[gt]": bound,
  "lm[gte]": bound,
  "lm[lt]": bound,
  "lm[lte]": bound,
  tags: storableText(4_096).optional().describe("Names of tags, with commas between: templates with one of them."),
  orchestrationID: storableText(64)
    .optional()
    .describe("Templates that this orchestration sends, in the version that new runs follow."),
  compositionID: storableText(64)
    .optional()
    .describe("Templates that this published version of an orchestration sends."),
});
type TemplatesQuery = z.output<typeof query>;

const cursorKey = z.strictObject({
  ct: z.number().int(),
  key: storableText(1_024),
  /** Given in lists by the last change, and by name. */
  lm: z.number().int().optional(),
  name: storableText(1_024).optional(),
});

const templatesAnswer = pageOf(templateShape.partial());

const templatesExample = {
  data: [templateExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const PAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Members that the contents are read for. */
const OF_CONTENT = { message: "", draft: "", draftContent: "", status: "" };

/** Templates by key, or by the time of creation or of the last change, or the name, each with the key. Throws 422 `use_cursor` for a numbered page that would hold too much. */
async function listTemplatesOf(
  query: TemplatesQuery,
  { account, signal }: Listing,
  { postgres, cursors, clock, ...ports }: ListPorts,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "ct";
  const { number } = account;
  const page = readPage(query, {
    list: `templates by ${sortBy}`,
    key: cursorKey,
    direction: "asc",
    account: number,
    cursors,
  });
  const pick = pickFields(query.fields, TEMPLATE_MEMBERS);
  const filters = filtersOf(query, account);
  const { after, direction, skip, perPage } = page;
  const isWhole = Object.keys(pick(OF_CONTENT)).length > 0;
  const contentBytesMax = isWhole ? PAGE_BYTES_MAX : 0;
  const bounds = { sortBy, direction, skip, rowsMax: perPage + 1, contentBytesMax, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageTemplates(session, { ...filters, ...bounds }),
    count: (session) => countTemplates(session, filters),
  });
  const stored = isWhole ? rowsWithCapacity(rows, perPage) : perPage;
  if (stored < Math.min(perPage, rows.length) && query.page !== undefined) throw tooMuch();
  const cut = cutPage(rows, { ...page, perPage: stored }, pathBy(sortBy));
  const nowMs = clock.nowMs();
  const ids = cut.rows.map(({ mdtId }) => mdtId);
  const counted = await readPageStats({ ids, account, fields: query.fields, view: "message", signal }, ports);
  const alertsOf = await readAlertsView(postgres, { account: number, ids, fields: query.fields }, ports);
  const displayed = cut.rows.map((row) => {
    const record = { ...templateRecord(row, { account, nowMs, isWhole }), ...alertsOf(row.mdtId) };
    return pick({ ...record, ...counted?.statsOf(row.mdtId) });
  });
  const listed = { rows: displayed, nextCursor: cut.nextCursor };
  const asOf = counted && { asOf: counted.asOf };
  return listAnswer({ path: "/v2/automationtemplates", query, page, listed, total, ...asOf });
}

/** Returns the position of a row in the list's order, for its cursor. */
function pathBy(sortBy: NonNullable<TemplatesQuery["sort_by"]>): (row: ListedTemplate) => TemplatePath {
  return (row) => ({
    ct: row.createdAt,
    key: row.key,
    ...(sortBy === "lm" && { lm: row.updatedAt }),
    ...(sortBy === "name" && { name: readTemplateSettings(row).name }),
  });
}

function filtersOf(query: TemplatesQuery, { number, settings: { timezone } }: Account) {
  const created = readTimeRange(query, "ct", timezone);
  const updated = readTimeRange(query, "lm", timezone);
  return {
    account: number,
    ...(query.tags !== undefined && { tags: query.tags.split(",").map((tag) => tag.trim()) }),
    ...(query.orchestrationID !== undefined && { orchestration: query.orchestrationID }),
    ...(query.compositionID !== undefined && { composition: query.compositionID }),
    ...(created.from !== undefined && { createdFrom: created.from }),
    ...(created.to !== undefined && { createdTo: created.to }),
    ...(updated.from !== undefined && { updatedFrom: updated.from }),
    ...(updated.to !== undefined && { updatedTo: updated.to }),
  };
}

/** Returns how many rows of the page were read with their contents: all, or those before the first that had no space. */
function rowsWithCapacity(rows: readonly ListedTemplate[], perPage: number): number {
  const first = rows.findIndex(({ hasContent }) => !hasContent);
  return first === -1 ? perPage : Math.min(first, perPage);
}

function tooMuch() {
  const message = `A page holds at most ${PAGE_BYTES_MAX} bytes of contents. Continue with the cursor, or leave them out with \`fields\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}

export function listTemplates(ports: AfterPorts & ListPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates",
    operationId: "listTemplates",
    summary: "Lists templates in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=key,name`) pages are always full. `stats` are left out while ClickHouse is away.",
    tags: ["automationtemplates"],
    answers: { 200: { description: "A page of templates.", schema: templatesAnswer, example: templatesExample } },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listTemplatesOf(input, { account: caller.account, signal }, ports);
    },
  });
}
