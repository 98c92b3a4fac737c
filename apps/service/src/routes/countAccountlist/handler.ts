import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { countMembers, loadListsById } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";

/** Contacts that are on the list now. Throws 404 `ACCOUNT_LISTS_NOT_FOUND`. */
export async function countList(listId: string, account: Account, { postgres }: ServicePorts): Promise<Answer> {
  const id = readListId(listId);
  const [list] = id === undefined ? [] : await loadListsById(postgres, [{ account: account.number, id }]);
  if (list === undefined) throw refusal("ACCOUNT_LISTS_NOT_FOUND", "There is no list with this id.");
  return { status: 200, body: { count: await countMembers(postgres, account.number, list.id) } };
}

const LIST_ID_MAX = 2_147_483_647;

/** @returns undefined for what cannot be the id of a list. */
export function readListId(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && id <= LIST_ID_MAX ? id : undefined;
}
