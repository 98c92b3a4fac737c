import type { NewApiKeyBody } from "@headwater/contracts";
import type { Call } from "../call.ts";
import type { Row } from "../output/formats.ts";
import { bookOfApi } from "./bookOfApi.ts";
import { storedBook } from "./storedBook.ts";

/** The keys of one account, through the API or in the database itself. */
export interface KeyBook {
  /** Those that were not revoked, in the order they were made. */
  list(): Promise<readonly Row[]>;
  /** @returns the record with `key`, the value that is shown this once. */
  make(body: NewApiKeyBody): Promise<Row>;
  revoke(id: string): Promise<void>;
}

/**
 * Works on the keys of the account whose key the caller has (`HEADWATER_API_KEY`), through `/v2/apikeys`. With `account` it works on
 * the Postgres it is given: for operators, who may give scopes that no key has, and who help when all keys are lost.
 */
export function withKeyBook<Result>(
  call: Call,
  account: string | undefined,
  work: (book: KeyBook) => Promise<Result>,
): Promise<Result> {
  if (account === undefined) return work(bookOfApi(call));
  return call.connections.withPostgres(async (postgres) => work(await storedBook(postgres, account)));
}
