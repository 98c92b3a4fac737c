import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isMachineSql } from "@headwater/criteria";
import type { ActivityPage, ActivityRow } from "./activityQuery.ts";

/** An activity of a page that is the first of its contact, action and message that a person made. */
export type IsFirst = (row: ActivityRow) => boolean;

/** Returns whether rows are all that there is of their contacts, actions and messages, so that none of before them is missing. */
export function areAll(rows: readonly ActivityRow[], page: ActivityPage): boolean {
  const { numbers, message, range, after, skip, rowsMax } = page;
  const isNarrowed = message !== undefined || range.from !== undefined || range.to !== undefined;
  return numbers !== undefined && !isNarrowed && after === undefined && skip === 0 && rows.length < rowsMax;
}

/** Finds the first ones among all that there is. */
export function firstsOf(rows: readonly ActivityRow[], direction: ActivityPage["direction"]): IsFirst {
  const earliestFirst = direction === "asc" ? rows : rows.toReversed();
  const known = new Map<string, ActivityRow>();
  for (const row of earliestFirst) {
    const key = groupOf(row);
    if (row.machine === 0 && !known.has(key)) known.set(key, row);
  }
  return (row) => known.get(groupOf(row)) === row;
}

/** Finds the first ones among rows that others may come before. */
export async function readFirsts(
  clickHouse: ClickHouse,
  account: number,
  rows: readonly ActivityRow[],
): Promise<IsFirst> {
  if (rows.length === 0) return () => false;
  const firsts = await clickHouse.query<{ action: string; contact: number; mcId: string; uid: string }>(statement, {
    account,
    actions: [...new Set(rows.map(({ action }) => action))],
    contacts: [...new Set(rows.map(({ contact }) => contact))],
  });
  const known = new Set(firsts.map((first) => JSON.stringify([first.action, first.contact, first.mcId, first.uid])));
  return ({ action, contact, mcId, uid }) => known.has(JSON.stringify([action, contact, mcId, uid]));
}

function groupOf({ action, contact, mcId }: ActivityRow): string {
  return JSON.stringify([action, contact, mcId]);
}

const statement = `SELECT action, contact, mc_id AS mcId, argMin(uid, (time, uid)) AS uid FROM activities
  WHERE account = {account: UInt32} AND action IN {actions: Array(String)} AND contact IN {contacts: Array(UInt64)}
    AND NOT ${isMachineSql()}
  GROUP BY action, contact, mc_id`;
