import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { loadCids } from "@headwater/stores/contacts";
import { countSends, pageSends, type SendFilters } from "@headwater/stores/sends";
import { readCounted } from "../paging/counted.ts";
import { listAnswer, pickFields } from "../paging/listAnswer.ts";
import { cutPage, readPage } from "../paging/page.ts";
import type { ServicePorts } from "../ports.ts";
import { SEND_MEMBERS, type SendsQuery, sendRecord, sendsCursor } from "./sendView.ts";

/** Message whose sends are listed. */
export interface SendsOf {
  /** Id of a batch message or template. */
  readonly message: string;
  readonly path: string;
  readonly account: Account;
}

/** Nobody has this number. */
const NOBODY = -1;

/** Lists who got a message, who did not, and why: the newest days of a template first. */
export async function listSends(
  query: SendsQuery,
  { message, path, account }: SendsOf,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const bounds = {
    list: `sends of ${message}`,
    key: sendsCursor,
    direction: "desc",
    account: account.number,
    cursors,
  } as const;
  const page = readPage(query, bounds);
  const pick = pickFields(query.fields, SEND_MEMBERS);
  const filters = await filtersOf(query, { message, account }, postgres);
  const { after, direction, skip, perPage } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) =>
      pageSends(session, { ...filters, direction, skip, rowsMax: perPage + 1, ...(after && { after }) }),
    count: (session) => countSends(session, filters),
  });
  const cut = cutPage(rows, page, ({ message: id, contact, n }) => ({ message: id, contact, n }));
  const listed = { rows: cut.rows.map((row) => pick(sendRecord(account, row))), nextCursor: cut.nextCursor };
  return listAnswer({ path, query, page, listed, total });
}

async function filtersOf(
  { state, reason, cID }: SendsQuery,
  { message, account }: Pick<SendsOf, "message" | "account">,
  postgres: ServicePorts["postgres"],
): Promise<SendFilters> {
  const shared = { account: account.number, message, ...(state && { state }), ...(reason && { reason }) };
  if (cID === undefined) return shared;
  const [found] = await loadCids(postgres, [{ account: account.number, cid: cID.toLowerCase() }]);
  return { ...shared, contact: found?.contact ?? NOBODY };
}
