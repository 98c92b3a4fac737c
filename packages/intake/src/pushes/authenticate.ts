import { randomBytes } from "node:crypto";
import { type Account, defaultSettings } from "@headwater/contracts";
import type { ApiKey, Call, KeyCache } from "@headwater/http";
import { z } from "zod";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { Signature } from "../partners/signature.ts";
import type { AccountCache } from "./accountCache.ts";

export const SCOPE = "intake";

/** A secret that nobody knows: an unknown account costs the same work and gets the same answer. */
const NOBODYS = randomBytes(32).toString("hex");

export const accountParams = z.object({ accountId: z.string() });

/** Finds who signed the push: the account of the path, if the signature was made with a secret of it. */
export async function findSigner(
  { partner }: PartnerEndpoint,
  signature: Signature,
  { call, accounts }: { readonly call: Call; readonly accounts: AccountCache },
): Promise<ApiKey | undefined> {
  const { accountId } = accountParams.parse(call.params);
  const account = await accounts.byId(accountId, call.clientAddress);
  const [first = NOBODYS, second = first] = account === undefined ? [] : signature.secretsOf(account.settings);
  const isRight = signature.isRight({
    header: call.header(signature.header),
    bytes: call.bytes,
    secrets: [first, second],
    settings: account?.settings ?? defaultSettings,
    nowMs: call.receivedAtMs,
  });
  return isRight && account !== undefined && first !== NOBODYS ? signer(partner, account) : undefined;
}

/** A signature stands for the whole account; its calls are counted for themselves. */
function signer(partner: string, account: Account): ApiKey {
  return { id: `${partner}:${account.id}`, account, scopes: [SCOPE] };
}

/** Finds the owner of the key that a body holds. */
export async function findByKey(
  keys: KeyCache,
  key: string | undefined,
  address: string | undefined,
): Promise<ApiKey | undefined> {
  return key === undefined ? undefined : keys.find(key, address);
}
