import { isMachineSql } from "@headwater/audience";
import type { ClickHouse } from "@headwater/stores/clickhouse";
import type { ActivityRow } from "./activityQuery.ts";

/** Finds which activities of a page are the first of their contact, action and message that a person made. */
export async function readFirsts(
  clickHouse: ClickHouse,
  account: number,
  rows: readonly ActivityRow[],
): Promise<(row: ActivityRow) => boolean> {
  if (rows.length === 0) return () => false;
  const firsts = await clickHouse.query<{ action: string; contact: number; mcId: string; uid: string }>(statement, {
    account,
    actions: [...new Set(rows.map(({ action }) => action))],
    contacts: [...new Set(rows.map(({ contact }) => contact))],
  });
  const known = new Set(firsts.map((first) => JSON.stringify([first.action, first.contact, first.mcId, first.uid])));
  return ({ action, contact, mcId, uid }) => known.has(JSON.stringify([action, contact, mcId, uid]));
}

const statement = `SELECT action, contact, mc_id AS mcId, argMin(uid, (time, uid)) AS uid FROM activities
  WHERE account = {account: UInt32} AND action IN {actions: Array(String)} AND contact IN {contacts: Array(UInt64)}
    AND NOT ${isMachineSql()}
  GROUP BY action, contact, mc_id`;
