import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countPrograms, pagePrograms } from "@headwater/stores/programs";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { PROGRAM_MEMBERS, programRecord } from "../programView.ts";
import { cursorKey, type ProgramsQuery } from "./schema.ts";

/** Programs by time of creation, or by name. */
export async function listProgramsOf(
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
