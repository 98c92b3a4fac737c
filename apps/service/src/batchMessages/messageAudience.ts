import type { CriteriaNode } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { readAudience } from "@headwater/stores/audiences";
import type { StoredBatchMessage } from "@headwater/stores/batchMessages";
import { checkCriteria } from "../audiences/checkCriteria.ts";
import { meantCriteria } from "../audiences/knownAudiences.ts";
import { type CriteriaPorts, runCriteria } from "../audiences/runCriteria.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import type { ServicePorts } from "../ports.ts";

/**
 * Returns the audience of a message as it is defined now.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` without one, `INVALID_AUDIENCE_RULES` when what it names was deleted.
 */
export async function checkedAudience(
  { audienceKey, criteria, lists }: Pick<StoredBatchMessage, "audienceKey" | "criteria" | "lists">,
  account: Account,
  ports: Pick<ServicePorts, "clickHouse" | "postgres">,
): Promise<CriteriaNode> {
  if (criteria !== null) {
    return checkCriteria(meantCriteria({ criteria, lists: lists ?? "{}" }), { account, at: "/audience" }, ports);
  }
  const saved = audienceKey === null ? undefined : await readAudience(ports.postgres, account.number, audienceKey);
  if (saved === undefined) throw invalidContent([missing()]);
  return checkCriteria(meantCriteria(saved), { account, at: "/audience-key" }, ports);
}

function missing(): ErrorDetail {
  return { path: "/audience", code: "required", message: "`audience` or `audience-key` is required." };
}

export interface AudienceLook {
  readonly count: number;
  /** Id of a contact of it; undefined when it is empty. */
  readonly sample: string | undefined;
}

/** Counts an audience, and picks one of its contacts. */
export async function lookAtAudience(
  node: CriteriaNode,
  { account, signal, nowMs }: { readonly account: Account; readonly signal: AbortSignal; readonly nowMs: number },
  ports: CriteriaPorts,
): Promise<AudienceLook> {
  const options = { basis: "recorded" as const, timezone: account.settings.timezone, sampleSize: 1 };
  const run = { account, signal, nowMs, options };
  const { row } = await runCriteria<{ count: number | string; sample: readonly string[] }>(node, run, ports);
  return { count: Number(row.count), sample: row.sample[0] };
}
