import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countMembers } from "@headwater/stores/lists";
import type { ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { findList } from "../saveList.ts";

/** Contacts that are on the list now. Throws 404 `ACCOUNT_LISTS_NOT_FOUND`. */
export async function countList(
  listId: string,
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const count = await withSnapshot(postgres, async (session) => {
    const list = await findList(session, account, listId);
    return countMembers(session, account.number, list.id);
  });
  return { status: 200, body: { count } };
}
