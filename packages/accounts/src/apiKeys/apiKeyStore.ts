import { type OnceCall, runOnce, type Written } from "@headwater/api/idempotency/runOnce";
import type { Answer } from "@headwater/http";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type ApiKeyRows, apiKeyRowsOf } from "../accounts/apiKeyRows.ts";

/** Port of the keys of accounts, as the routes use it. */
export interface ApiKeyStore extends Pick<ApiKeyRows, "list"> {
  /** Runs a write once for its Idempotency-Key, in one transaction with its answer and its entry in the account's log. */
  once(call: OnceCall, write: (rows: ApiKeyRows) => Promise<Written>): Promise<Answer>;
}

/** Keys in Postgres. */
export function createStoredApiKeys(postgres: Postgres): ApiKeyStore {
  return {
    list: apiKeyRowsOf(postgres).list,
    once: (call, write) => runOnce(postgres, call, (transaction) => write(apiKeyRowsOf(transaction))),
  };
}
