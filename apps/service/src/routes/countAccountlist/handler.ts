import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countMembers } from "@headwater/stores";
import { findList } from "../../lists/saveList.ts";
import type { ServicePorts } from "../../ports.ts";

/** Contacts that are on the list now. Throws 404 `ACCOUNT_LISTS_NOT_FOUND`. */
export async function countList(listId: string, account: Account, { postgres }: ServicePorts): Promise<Answer> {
  const list = await findList(postgres, account, listId);
  return { status: 200, body: { count: await countMembers(postgres, account.number, list.id) } };
}
