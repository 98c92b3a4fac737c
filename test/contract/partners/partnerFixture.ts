import { accountSettings, type PartnerSettings } from "@headwater/contracts";
import { partnerEndpoints } from "@headwater/partners";
import { type Ingress, makeAccount, post, receiptOf, type TestAccount } from "../ingressFixture.ts";

type Given = { readonly [Name in keyof PartnerSettings]?: Partial<PartnerSettings[Name]> };

/** An account with settings of its partners and a key of intake. */
export function makePartnerAccount(ingress: Ingress, partners: Given = {}): Promise<TestAccount> {
  return makeAccount(ingress.database, { settings: accountSettings.parse({ partners }) });
}

/** How many records a receipt names. */
export function countOf(answer: Parameters<typeof receiptOf>[0]): number {
  return receiptOf(answer).parts.reduce((sum, { count }) => sum + count, 0);
}

export function endpointOf(path: string) {
  const endpoint = partnerEndpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint ${path}`);
  return endpoint;
}

/** Sends a push and reads the records it became out of the log. */
export async function pushed(ingress: Ingress, call: Parameters<typeof post>[1]) {
  const answer = await post(ingress.url, call);
  const records = answer.status >= 300 ? [] : await ingress.recordsOf(answer.body.requestId, countOf(answer));
  return { answer, records };
}

/** What the log says of a record but where it came from. */
export function contentOf({
  id: _,
  receivedAt: _at,
  source: _who,
  partition: _where,
  once: _name,
  ...rest
}: Record<string, unknown>) {
  return rest;
}
