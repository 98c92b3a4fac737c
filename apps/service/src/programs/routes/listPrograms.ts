import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { countPrograms, pagePrograms } from "@headwater/stores/programs";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { pageOf } from "../../paging/answerSchema.ts";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { PROGRAM_MEMBERS, programExample, programRecord, programShape } from "../programView.ts";

const query = z.strictObject({ ...listQuery, sort_by: z.enum(["ct", "createdAt", "name"]).optional() });
type ProgramsQuery = z.output<typeof query>;

const cursorKey = z.strictObject({
  createdAt: z.number().int(),
  name: storableText(1_024),
  id: storableText(1_024),
});

const programsAnswer = pageOf(programShape.partial());

const programsExample = {
  data: [programExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Programs by time of creation, or by name. */
async function listProgramsOf(
  query: ProgramsQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const sortBy: "name" | "createdAt" = query.sort_by === "name" ? "name" : "createdAt";
  const page = readPage(query, { list: `programs by ${sortBy}`, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, PROGRAM_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const bounds = { account, sortBy, direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pagePrograms(session, bounds),
    count: (session) => countPrograms(session, account),
  });
  const cut = cutPage(rows, page, ({ createdAt, name, id }) => ({ createdAt, name, id }));
  const listed = { rows: cut.rows.map((row) => pick(programRecord(row))), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/programs", query, page, listed, total });
}

export function listPrograms(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs",
    operationId: "listPrograms",
    summary: "Lists programs in order of creation.",
    tags: ["programs"],
    answers: { 200: { description: "A page of programs.", schema: programsAnswer, example: programsExample } },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listProgramsOf(given, caller.account, ports);
    },
  });
}
