import { waitForAfter } from "@headwater/api/consistency/after";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { readTime } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, deadLetterStatuses } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { countDeadLetters } from "../deadLetterCounts.ts";
import { type DeadLetter, type DeadLetterFilters, pageDeadLetters } from "../deadLetters.ts";
import { DEAD_LETTER_MEMBERS, deadLetterRecord } from "../deadLetterView.ts";
import { refuseEmptyRange } from "../selection.ts";
import { listCauses } from "./listCauses.ts";
import { cursorKey, type DeadlettersQuery, deadlettersAnswer, query } from "./schema.ts";

const LIST = "deadletters";

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
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listDeadlettersOf(given, caller.account, ports);
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
  const page = readPage(query, { list: LIST, key: cursorKey, direction: "desc", account: account.number, cursors });
  const pick = pickFields(query.fields, DEAD_LETTER_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageDeadLetters(session, { ...filters, ...bounds }),
    count: (session) => countDeadLetters(session, filters),
  });
  const keyOf = ({ rejectedAt, recordId }: DeadLetter) => ({ rejectedAt, recordId });
  const { rows: kept, nextCursor } = cutPage(rows, page, keyOf);
  const listed = { rows: kept.map((row) => pick(deadLetterRecord(row))), nextCursor };
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
