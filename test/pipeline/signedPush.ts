import { partnerEndpoints } from "@headwater/intake/partners/registry";
import type { Caller } from "./stack.ts";

export const SECRET = "a secret of the tests";

/** A signed push to the account's own path. */
export function signed(caller: Caller, path: string, body: object) {
  const endpoint = partnerEndpoints.find((candidate) => candidate.path === path);
  if (endpoint?.auth.kind !== "signature") throw new Error(`${path} is not signed`);
  const text = JSON.stringify(body);
  const headers = { [endpoint.auth.header]: endpoint.auth.sign(Buffer.from(text), SECRET, Date.now()) };
  return caller.push(path.replace("{accountId}", caller.accountId), text, headers);
}
