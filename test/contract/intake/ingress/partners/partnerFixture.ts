import { accountSettings, type PartnerSettings } from "@headwater/contracts";
import type { PartnerEndpoint } from "@headwater/intake/partners/endpoint";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { addAccount, type Ingress, openedReceipt, type Post, post, type TestAccount } from "../ingressFixture.ts";

type Input = { readonly [Name in keyof PartnerSettings]?: Partial<PartnerSettings[Name]> };

/** An account with settings of its partners and a key of intake. */
export function createPartnerAccount(ingress: Ingress, partners: Input = {}): Promise<TestAccount> {
  return addAccount(ingress.database, { settings: accountSettings.parse({ partners }) });
}

/** Returns what a receipt names: its request and how many records it wrote; nothing for an answer that has none. */
function writtenOf({ headers, body }: Awaited<ReturnType<typeof post>>) {
  const text = headers.get("headwater-receipt") ?? body.receipt;
  if (text === undefined) return { requestId: "", count: 0 };
  const { requestId, parts } = openedReceipt(text);
  return { requestId, count: parts.reduce((sum, { count }) => sum + count, 0) };
}

export function endpointOf(path: string) {
  const endpoint = partnerEndpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint ${path}`);
  return endpoint;
}

/** Sends a push and reads the records it became out of the log. */
export async function pushed(ingress: Ingress, call: Parameters<typeof post>[1]) {
  const answer = await post(ingress.url, call);
  const { requestId, count } = writtenOf(answer);
  if (count === 0) return { answer, records: [] };
  return { answer, records: await ingress.recordsOf(requestId, count) };
}

/** Returns a logged record without its origin and the names by which a repeat is known. */
export function contentOf({
  id: _,
  receivedAt: _at,
  source: _who,
  partition: _where,
  once: _name,
  keyed: _marked,
  ...rest
}: Record<string, unknown>) {
  return rest;
}

export const SECRETS: [string, string] = ["an old secret of the tests", "a new secret of the tests"];

/** Settings with two secrets of every partner that signs. */
export const withSecrets: Input = { listsync: { secrets: SECRETS }, subscriptionsync: { secrets: SECRETS } };

/** A call as its sender makes it: with a key in the header or the body, or signed. */
export function callOf(endpoint: PartnerEndpoint, { account, key }: TestAccount, body: object): Post {
  const path = endpoint.path.replace("{accountId}", account.id);
  switch (endpoint.auth.kind) {
    case "apiKey":
      return { path, key, body };
    case "signature": {
      const bytes = Buffer.from(JSON.stringify(body));
      return {
        path,
        body: bytes,
        headers: { [endpoint.auth.header]: endpoint.auth.sign(bytes, SECRETS[0], Date.now()) },
      };
    }
    case "bodyKey":
      return { path, body: { ...body, account: { account_id: 7, account_settings: { apiKey: key } } } };
    case "none":
      return { path, body };
  }
}
