import { historyUpTo } from "@headwater/api/consistency/consistencyOf";
import { checkCriteria } from "@headwater/audiences/audiences/checkCriteria";
import { audiences } from "@headwater/audiences/audiences/postgres";
import { type CriteriaPorts, runCriteria } from "@headwater/audiences/audiences/runCriteria";
import { meantCriteria } from "@headwater/audiences/criteria/knownAudiences";
import type { Account } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { readOutboxPosition } from "@headwater/postgres/outbox/streamWatermarks";
import { invalidContent } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import type { StoredBatchMessage } from "./batchMessages.ts";
import type { CheckPorts } from "./messagePorts.ts";

/**
 * Returns the audience of a message as it is defined now.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` without one, `INVALID_AUDIENCE_RULES` when what it names was deleted.
 */
export async function checkedAudience(
  { audienceKey, criteria, lists }: Pick<StoredBatchMessage, "audienceKey" | "criteria" | "lists">,
  account: Account,
  ports: Pick<RoutePorts, "clickHouse" | "postgres">,
): Promise<CriteriaNode> {
  if (criteria !== null) {
    return checkCriteria(meantCriteria({ criteria, lists: lists ?? "{}" }), { account, at: "/audience" }, ports);
  }
  const saved =
    audienceKey === null
      ? undefined
      : await audiences.read(ports.postgres, { account: account.number, key: audienceKey });
  if (saved === undefined) throw invalidContent([missing()]);
  return checkCriteria(meantCriteria(saved), { account, at: "/audience-key" }, ports);
}

function missing(): ErrorDetail {
  return { path: "/audience", code: "required", message: "`audience` or `audience-key` is required." };
}

export interface AudienceCheck {
  readonly count: number;
  /** Id of a contact of it; undefined when it is empty. */
  readonly sample: string | undefined;
  /** Texts that its contacts give as their time zone, where they were asked for. */
  readonly zones?: readonly string[];
}

interface Looking {
  readonly account: Account;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  /** Reads the zones of its contacts, too. */
  readonly asksZones?: boolean;
}

/**
 * Checks an audience; at one that seems empty again when ClickHouse has everything that was stored before, for its contacts may have been
 * written a moment ago. @throws HeadwaterError 503 when that takes too long.
 */
export async function checkStoredAudience(
  node: CriteriaNode,
  looking: Looking,
  ports: CheckPorts,
): Promise<AudienceCheck> {
  const check = await checkAudience(node, looking, ports);
  if (check.count > 0) return check;
  const { account, signal } = looking;
  const isStored = historyUpTo(ports, await readOutboxPosition(ports.postgres));
  if (await ports.waits.until(isStored, { flow: account.number, timeoutMs: ports.afterTimeoutMs, signal })) {
    return checkAudience(node, looking, ports);
  }
  const behind = "Contacts that were written lately cannot be counted yet.";
  throw refusal("SERVICE_UNAVAILABLE", behind, { retryAfterSeconds: 1 });
}

/** Counts an audience, and picks one of its contacts. */
export async function checkAudience(
  node: CriteriaNode,
  { account, signal, nowMs, asksZones = false }: Looking,
  ports: CriteriaPorts,
): Promise<AudienceCheck> {
  const { timezone, messaging } = account.settings;
  const zones = asksZones ? { zones: { attribute: messaging.timezoneAttribute } } : {};
  const options = { basis: "recorded" as const, timezone, sampleSize: 1, ...zones };
  const run = { account, signal, nowMs, options };
  const { row } = await runCriteria<AudienceRow>(node, run, ports);
  return { count: Number(row.count), sample: row.sample[0], ...(row.zones && { zones: row.zones }) };
}

interface AudienceRow {
  readonly count: number | string;
  readonly sample: readonly string[];
  readonly zones?: readonly string[];
}
