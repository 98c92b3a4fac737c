import type { Account } from "@headwater/contracts";
import { parseChildId } from "@headwater/domain/batchMessage";
import type { Answer } from "@headwater/http";
import { readBatchMessage } from "@headwater/stores/batchMessages";
import { readTemplateChildren } from "@headwater/stores/templates";
import type { ServicePorts } from "../../ports.ts";
import { listSends } from "../../sends/listSends.ts";
import { unknownMessage } from "../messageView.ts";
import type { MessageSendsQuery } from "./schema.ts";

/** Sends of a message by contact. Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function listSendsOf(
  { id, query }: { readonly id: string; readonly query: MessageSendsQuery },
  account: Account,
  ports: Pick<ServicePorts, "cursors" | "postgres">,
): Promise<Answer> {
  if (!(await isKnown({ account: account.number, id }, ports.postgres))) throw unknownMessage();
  return listSends(query, { message: id, path: `/v2/batchmessages/${id}/sends`, account, direction: "asc" }, ports);
}

async function isKnown(
  { account, id }: { readonly account: number; readonly id: string },
  postgres: ServicePorts["postgres"],
): Promise<boolean> {
  if (parseChildId(id) !== undefined) return (await readTemplateChildren(postgres, account, [id])).length > 0;
  return (await readBatchMessage(postgres, account, id)) !== undefined;
}
