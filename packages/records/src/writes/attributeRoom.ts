import type { Account } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { attributes } from "../attributes/postgres.ts";

const CODE = "ACCOUNT_ATTRIBUTES_EXCEEDED";

/** Returns whether new names of attributes did not fit into an account. */
export function isAttributesExceeded(error: unknown): boolean {
  return error instanceof HeadwaterError && error.code === CODE;
}

/** @throws HeadwaterError 422 `ACCOUNT_ATTRIBUTES_EXCEEDED` when an account has more definitions than it may have. */
export async function expectAttributeCapacity(
  transaction: Transaction,
  accounts: Iterable<Pick<Account, "number" | "settings">>,
): Promise<void> {
  for (const { number: account, settings } of accounts) {
    const { attributesPerAccount: max } = settings.limits;
    if ((await attributes.count(transaction, { account, equal: {} })) <= max) continue;
    throw attributesExceeded(max);
  }
}

export function attributesExceeded(max: number): HeadwaterError {
  const publicMessage = `An account can have at most ${max} attributes.`;
  const details = [{ path: "/attributes", code: "too_many", message: publicMessage }];
  return new HeadwaterError({ code: CODE, status: 422, publicMessage, details });
}
