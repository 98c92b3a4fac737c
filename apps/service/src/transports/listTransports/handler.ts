import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countTransports, pageTransports } from "@headwater/stores/transports";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { TRANSPORT_MEMBERS, transportRecord } from "../transportView.ts";
import { cursorKey, type TransportsQuery } from "./schema.ts";

/** Transports by time of creation, or by name. */
export async function listTransportsOf(
  query: TransportsQuery,
  { number: account }: Account,
  { postgres, cursors, sealer }: Pick<ServicePorts, "postgres" | "cursors" | "sealer">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "ct";
  const page = readPage(query, { list: `transports by ${sortBy}`, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, TRANSPORT_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const filters = { account, ...(query.channel !== undefined && { channel: query.channel }) };
  const bounds = { ...filters, sortBy, direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageTransports(session, bounds),
    count: (session) => countTransports(session, filters),
  });
  const cut = cutPage(rows, page, ({ createdAt, name, id }) => ({ ct: createdAt, name, id }));
  const listed = { rows: cut.rows.map((row) => pick(transportRecord(row, sealer))), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/transports", query, page, listed, total });
}
