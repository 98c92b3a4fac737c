import type { Call } from "../call.ts";
import { bookOfApi } from "./bookOfApi.ts";
import type { KeyAdmin } from "./keyAdmin.ts";
import { storedBook } from "./storedBook.ts";

/**
 * Works on the keys of the account whose key the caller has (`HEADWATER_API_KEY`), through `/v2/apikeys`. With `account` it works on
 * the Postgres it is given: for operators, who may give scopes that no key has, and who help when all keys are lost.
 */
export function withKeyAdmin<Result>(
  call: Call,
  account: string | undefined,
  work: (book: KeyAdmin) => Promise<Result>,
): Promise<Result> {
  if (account === undefined) return work(bookOfApi(call));
  return call.connections.withPostgres(async (postgres) => work(await storedBook(postgres, account)));
}
