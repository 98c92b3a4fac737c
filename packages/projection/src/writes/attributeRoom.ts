import type { Account } from "@headwater/contracts";
import { HeadwaterError, pointerStep } from "@headwater/kernel";
import { type AttributeKey, countAttributes, findNamesOfLists } from "@headwater/stores/attributes";
import type { Transaction } from "@headwater/stores/postgres";

const CODE = "ACCOUNT_ATTRIBUTES_EXCEEDED";

/** Returns whether an account could not have new attributes. */
export function areAttributesRefused(error: unknown): boolean {
  return error instanceof HeadwaterError && (error.code === CODE || error.code === "KEY_MUST_BE_UNIQUE");
}

/** @throws HeadwaterError 422 `KEY_MUST_BE_UNIQUE` when one of the new attributes has the name of a list. */
export async function expectNoNamesOfLists(transaction: Transaction, made: readonly AttributeKey[]): Promise<void> {
  const [taken] = await findNamesOfLists(transaction, made);
  if (taken !== undefined) throw attributeTaken(taken.key);
}

export function attributeTaken(key: string): HeadwaterError {
  const publicMessage = nameOfList(key);
  const details = [{ path: `/attributes/${pointerStep(key)}`, code: "not_allowed", message: publicMessage }];
  return new HeadwaterError({ code: "KEY_MUST_BE_UNIQUE", status: 422, publicMessage, details });
}

/** Says why a write may not bring up an attribute. */
export function nameOfList(key: string): string {
  return `No attribute can be named ${JSON.stringify(key)}: a list has this name.`;
}

/** @throws HeadwaterError 422 `ACCOUNT_ATTRIBUTES_EXCEEDED` when an account has more definitions than it may have. */
export async function expectAttributeRoom(
  transaction: Transaction,
  accounts: Iterable<Pick<Account, "number" | "settings">>,
): Promise<void> {
  for (const { number: account, settings } of accounts) {
    const { attributesPerAccount: max } = settings.limits;
    if ((await countAttributes(transaction, { account })) <= max) continue;
    throw attributesExceeded(max);
  }
}

export function attributesExceeded(max: number): HeadwaterError {
  const publicMessage = `An account can have at most ${max} attributes.`;
  const details = [{ path: "/attributes", code: "too_many", message: publicMessage }];
  return new HeadwaterError({ code: CODE, status: 422, publicMessage, details });
}
