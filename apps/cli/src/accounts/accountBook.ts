import { randomBytes } from "node:crypto";
import { createAccount, findAccount, listAccounts } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import type { Account } from "@headwater/contracts";
import { HeadwaterError, hashApiKey, newApiKey } from "@headwater/kernel";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";
import { validationError } from "../failure.ts";
import type { Written } from "./document.ts";
import { noteOperator } from "./noteOperator.ts";

const FIRST_KEY_SCOPES = ["read", "write", "admin", "intake"];
const PREFIX_CHARACTERS = 8;
const ACCOUNT_ID = /^[0-9a-f]{24}$/;

/**
 * The account and its first key, made in one transaction. The key is shown here and nowhere else: only its hash is stored.
 * @throws HeadwaterError ID_MUST_BE_UNIQUE.
 */
export async function openAccount(
  postgres: Postgres,
  account: Written & { readonly id: string },
): Promise<{ readonly account: Account; readonly apiKey: string }> {
  const apiKey = newApiKey();
  try {
    return await postgres.transaction(async (tx) => {
      const created = await createAccount(tx, account);
      await createApiKey(tx, {
        id: randomBytes(12).toString("hex"),
        account: created.number,
        hash: hashApiKey(apiKey),
        prefix: apiKey.slice(0, PREFIX_CHARACTERS),
        name: "first key",
        scopes: FIRST_KEY_SCOPES,
      });
      const message = "Creates the account and its first key.";
      await noteOperator(tx, { account: created.number, action: "createAccount", message, target: created.id });
      return { account: created, apiKey };
    });
  } catch (error) {
    if (postgresFailure(error) !== "unique") throw error;
    throw new HeadwaterError({
      code: "ID_MUST_BE_UNIQUE",
      status: 422,
      publicMessage: `Account ${account.id} already exists.`,
      cause: error,
    });
  }
}

export async function accountNamed(session: Session, name: string): Promise<Account | undefined> {
  return (await listAccounts(session)).find((account) => account.name === name);
}

/**
 * Finds an account by id, else by name. An account may have another one's id as its name: then only its own id finds it.
 * @throws HeadwaterError RECORD_NOT_FOUND, VALIDATION_ERROR.
 */
export async function accountOf(session: Session, idOrName: string): Promise<Account> {
  const byId = ACCOUNT_ID.test(idOrName) ? await findAccount(session, idOrName) : undefined;
  if (byId !== undefined) return byId;
  const [found, ...namesakes] = (await listAccounts(session)).filter(({ name }) => name === idOrName);
  if (found === undefined) throw noAccount(idOrName);
  if (namesakes.length === 0) return found;
  const ids = [found, ...namesakes].map(({ id }) => id).join(", ");
  throw validationError(`Several accounts are named ${idOrName}. Use an id: ${ids}.`);
}

export function noAccount(idOrName: string): HeadwaterError {
  return new HeadwaterError({
    code: "RECORD_NOT_FOUND",
    status: 404,
    publicMessage: `Account ${idOrName} does not exist.`,
  });
}
