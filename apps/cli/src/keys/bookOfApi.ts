import type { Call } from "../call.ts";
import type { Row } from "../output/formats.ts";
import { isMembers } from "../requests/readInput.ts";
import type { KeyAdmin } from "./keyAdmin.ts";

/** The keys of the account whose key the caller has, through `/v2/apikeys`. */
export function bookOfApi(call: Call): KeyAdmin {
  const service = call.service();
  return {
    async list() {
      const keys: Row[] = [];
      for await (const { rows } of service.pages("listApikeys")) keys.push(...rows);
      return keys;
    },
    async make(body) {
      const made = await service.call("createApikey", { body });
      return isMembers(made.body) ? made.body : {};
    },
    revoke: async (id) => void (await service.call("deleteApikey", { path: [id] })),
  };
}
