import type { Call } from "../call.ts";
import type { Row } from "../output/formats.ts";
import { isMembers } from "../requests/readInput.ts";
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

/** The keys of the account whose key the caller has, through `/v2/apikeys`. */
function bookOfApi(call: Call): KeyAdmin {
  const service = call.service();
  return {
    async list() {
      const keys: Row[] = [];
      for await (const { rows } of service.pages("listApikeys")) keys.push(...rows);
      return keys;
    },
    async make(body) {
      const created = await service.call("createApikey", { body });
      return isMembers(created.body) ? created.body : {};
    },
    revoke: async (id) => void (await service.call("deleteApikey", { path: [id] })),
  };
}
