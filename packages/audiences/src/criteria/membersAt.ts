import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { aliasRevisionSql, type CriteriaNode, compileTrendMembers, type TrendOptions } from "@headwater/criteria";

/** Contacts and instants at which criteria are answered. */
export type MembersAt = Omit<TrendOptions, "hasMerges">;

interface MembersPorts {
  readonly clickHouse: Pick<ClickHouse, "query">;
  readonly signal?: AbortSignal;
}

/** Limit of the attempts when merges come all the time. */
const ATTEMPTS_MAX = 4;
const TIMEOUT_MS = 300_000;

/**
 * Returns at which of some instants contacts fit criteria: by contact its codes, ascending, `index * 2` where it begins to fit and
 * `index * 2 + 1` where it ends. A contact that never fits has none. Reads again when a merge came meanwhile, as counts do.
 */
export async function membersAt(
  criteria: CriteriaNode,
  at: MembersAt,
  { clickHouse, signal }: MembersPorts,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const revisionOf = async () => {
    const sql = `SELECT ${aliasRevisionSql("{account: UInt32}")} AS revision`;
    const [row] = await clickHouse.query<{ revision: string }>(sql, { account: at.account });
    return row?.revision ?? "0";
  };
  let revision = await revisionOf();
  for (let attempt = 1; ; attempt += 1) {
    const { sql, params } = compileTrendMembers(criteria, { ...at, hasMerges: revision !== "0" });
    const limits = { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
    const rows = await clickHouse.query<{ contact: number | string; codes: number[] }>(sql, params, limits);
    const after = await revisionOf();
    if (after === revision || attempt === ATTEMPTS_MAX)
      return new Map(rows.map(({ contact, codes }) => [Number(contact), codes]));
    revision = after;
  }
}

/** Returns whether codes hold at the instant of an index. */
export function holdsAt(codes: readonly number[] | undefined, index: number): boolean {
  const last = codes?.findLast((code) => code < 2 * (index + 1));
  return last !== undefined && last % 2 === 0;
}
