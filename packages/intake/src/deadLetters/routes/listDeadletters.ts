import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, type Page, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTime } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, deadLetterStatuses, toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { compareCauses, countDeadLetters, type DeadLetterCause, groupDeadLetters } from "../deadLetterCounts.ts";
import { type DeadLetter, type DeadLetterFilters, pageDeadLetters } from "../deadLetters.ts";
import { DEAD_LETTER_MEMBERS, deadLetterAnswer, deadLetterRecord } from "../deadLetterView.ts";
import { refuseEmptyRange } from "../selection.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("rejectedAt").optional(),
  operation: storableText(64).optional(),
  code: storableText(64).optional(),
  /** Bounds of the time of rejection: from included, to excluded. */
  from: bound,
  to: bound,
  /** Default: the open ones, which a redrive or discard of the same filters would take. */
  status: z.enum([...deadLetterStatuses, "any"]).optional(),
  group: z.literal("code").optional(),
});
type DeadlettersQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ rejectedAt: z.number().int(), recordId: storableText(1_024) });

const cause = z.strictObject({
  code: z.string(),
  operation: z.string(),
  count: z.number().int(),
  first: z.string(),
  last: z.string(),
  sampleId: z.string(),
});

const CAUSE_MEMBERS = Object.keys(cause.shape);

const causeKey = z.strictObject({
  count: z.number().int(),
  code: storableText(128),
  operation: storableText(128),
});
type CauseKey = z.output<typeof causeKey>;

const deadlettersAnswer = pageOf(z.union([deadLetterAnswer.partial(), cause.partial()]));

export function listDeadletters(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/deadletters",
    operationId: "listDeadletters",
    summary: "Lists rejected records, or with `group=code` their causes. Returns open ones unless `status` is given.",
    tags: ["deadletters"],
    answers: {
      200: {
        description: "A page of rejected records, or of their causes, the most frequent first.",
        schema: deadlettersAnswer,
      },
    },
    auth: "basic",
    scope: "deadletters:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listDeadlettersOf(input, caller.account, ports);
    },
  });
}

/** Refused records by time of rejection, the latest first unless `sort_dir=asc`; or their causes. */
async function listDeadlettersOf(
  query: DeadlettersQuery,
  account: Account,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const filters = filtersOf(query, account);
  if (query.group !== undefined) return listCauses({ query, filters, account }, { postgres, cursors });
  const page = readPage(query, {
    list: "deadletters",
    key: cursorKey,
    direction: "desc",
    account: account.number,
    cursors,
  });
  const pick = pickFields(query.fields, DEAD_LETTER_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageDeadLetters(session, { ...filters, ...bounds }),
    count: (session) => countDeadLetters(session, filters),
  });
  const keyOf = ({ rejectedAt, recordId }: DeadLetter) => ({ rejectedAt, recordId });
  const { rows: stored, nextCursor } = cutPage(rows, page, keyOf);
  const listed = { rows: stored.map((row) => pick(deadLetterRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/deadletters", query, page, listed, total });
}

function filtersOf({ operation, code, from, to, status }: DeadlettersQuery, account: Account): DeadLetterFilters {
  const { timezone } = account.settings;
  const range = {
    from: from === undefined ? undefined : readTime(from, "from", timezone),
    to: to === undefined ? undefined : readTime(to, "to", timezone),
  };
  refuseEmptyRange(range, "/to");
  return {
    account: account.number,
    statuses: status === "any" ? deadLetterStatuses : [status ?? "open"],
    operation,
    code,
    ...range,
  };
}

interface CausesOf {
  readonly query: DeadlettersQuery;
  readonly filters: DeadLetterFilters;
  readonly account: Account;
}

/** Causes of refused records, the most frequent first unless `sort_dir=asc`. They are few, so each page groups them all. */
async function listCauses(
  { query, filters, account }: CausesOf,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const page = readPage(query, {
    list: "deadletters/causes",
    key: causeKey,
    direction: "desc",
    account: account.number,
    cursors,
  });
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
