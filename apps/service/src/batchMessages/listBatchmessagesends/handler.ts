import { type Account, toTimestamp } from "@headwater/contracts";
import { parseChildId } from "@headwater/domain/batchMessage";
import type { Answer } from "@headwater/http";
import { readBatchMessage } from "@headwater/stores/batchMessages";
import { loadCids } from "@headwater/stores/contacts";
import { countSends, pageSends, type StoredSend } from "@headwater/stores/sends";
import { readTemplateChildren } from "@headwater/stores/templates";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { unknownMessage } from "../messageView.ts";
import { cursorKey, SEND_MEMBERS, type SendsQuery } from "./schema.ts";

/** No contact has this number. */
const NOBODY = 0;

/** Sends of a message by contact. Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function listSendsOf(
  { id, query }: { readonly id: string; readonly query: SendsQuery },
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { number } = account;
  const rules = { list: `sends of ${id}`, key: cursorKey, direction: "asc", account: number, cursors } as const;
  const page = readPage(query, rules);
  const pick = pickFields(query.fields, SEND_MEMBERS);
  if (!(await isKnown({ account: number, id }, postgres))) throw unknownMessage();
  const filters = {
    ...{ account: number, message: id },
    ...(query.state !== undefined && { state: query.state }),
    ...(query.reason !== undefined && { reason: query.reason }),
    ...(query.cID !== undefined && { contact: await contactOf({ account: number, cid: query.cID }, postgres) }),
  };
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageSends(session, { ...filters, ...bounds }),
    count: (session) => countSends(session, filters),
  });
  const cut = cutPage(rows, page, ({ message, contact, n }) => ({ message, contact, n }));
  const shown = cut.rows.map((row) => pick(sendRecord(row, account)));
  const listed = { rows: shown, nextCursor: cut.nextCursor };
  return listAnswer({ path: `/v2/batchmessages/${id}/sends`, query, page, listed, total });
}

async function isKnown(
  { account, id }: { readonly account: number; readonly id: string },
  postgres: ServicePorts["postgres"],
): Promise<boolean> {
  if (parseChildId(id) !== undefined) return (await readTemplateChildren(postgres, account, [id])).length > 0;
  return (await readBatchMessage(postgres, account, id)) !== undefined;
}

async function contactOf(
  key: { readonly account: number; readonly cid: string },
  postgres: ServicePorts["postgres"],
): Promise<number> {
  const [found] = await loadCids(postgres, [key]);
  return found?.contact ?? NOBODY;
}

/** A contact that was erased before its row was made has no id any more. */
function sendRecord(send: StoredSend, { id: account }: Account): Record<string, unknown> {
  const { cid, address, state, reason, message, kind, n, variant, attempts, at, code, text } = send;
  return {
    ...{ cID: cid, state, attempts, at: toTimestamp(at) },
    ...(address !== null && { address }),
    ...(reason !== null && { reason }),
    ...(cid !== "" && { mcID: `${account}:${message}:${kind}:${cid}:${n}` }),
    ...(variant !== null && { variant }),
    ...(code !== null && { code }),
    ...(text !== null && { text }),
  };
}
