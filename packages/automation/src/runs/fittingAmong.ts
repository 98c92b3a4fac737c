import type { AliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { runCriteria } from "@headwater/audiences/audiences/runCriteria";
import type { CriteriaPorts } from "@headwater/audiences/criteria/criteriaPorts";
import { examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";

const QUERY_MS = 30_000;

/** Contacts of an account that are asked for together. */
export interface AmongContacts {
  readonly account: Account;
  /** Criteria, or a saved audience as `{audience}`; undefined where they are gone. */
  readonly criteria: unknown;
  /** Numbers of contacts. */
  readonly among: readonly number[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface AmongRow {
  readonly among: readonly (number | string)[];
}

/** Returns those of the contacts that fit criteria, by one query; undefined for criteria that are wrong today. */
export async function fittingAmong(
  ports: CriteriaPorts & { readonly clickHouse: ClickHouse; readonly aliasRevisions: AliasRevisions },
  { account, criteria: input, among, at }: AmongContacts,
): Promise<ReadonlySet<number> | undefined> {
  if (input === undefined) return undefined;
  const { postgres, clickHouse } = ports;
  const examined = await examineCriteria(input, { account }, { postgres, clickHouse });
  if (examined.kind !== "ok") return undefined;
  const { timezone } = account.settings;
  const run = { account, signal: AbortSignal.timeout(QUERY_MS), nowMs: at };
  const options = { basis: "recorded" as const, timezone, among };
  const { row } = await runCriteria<AmongRow>(examined.criteria, { ...run, options }, ports);
  return new Set(row.among.map(Number));
}
