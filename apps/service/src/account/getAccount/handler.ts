import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readAccountDocument } from "@headwater/stores/accounts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { showAccount } from "../accountDocument.ts";

/** Returns the account as it is stored now, which the key's cache may not know yet. */
export async function readAccount(
  { number }: Pick<Account, "number">,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const { account, version } = await readAccountDocument(postgres, number);
  return { status: 200, body: showAccount(account), headers: { ETag: etagOf(String(version)) } };
}
