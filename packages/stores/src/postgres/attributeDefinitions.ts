import { plainArray, textArray } from "./arrays.ts";
import type { Session } from "./session.ts";

export interface AttributeKey {
  readonly account: number;
  readonly key: string;
}

export interface AttributeDefinition extends AttributeKey {
  /** `auto`: the value is kept as it came. */
  readonly type: string;
}

const ensureStatement = {
  name: "attributes_ensure",
  text: `INSERT INTO attribute_definitions (account, key, created_at)
    SELECT account, key, $3 FROM unnest($1::int[], $2::text[]) AS r (account, key)
    WHERE NOT EXISTS (SELECT FROM attribute_definitions d WHERE d.account = r.account AND d.key = r.key)
    ORDER BY account, key ON CONFLICT DO NOTHING`,
};
const loadStatement = {
  name: "attributes_load",
  text: "SELECT account, key, type FROM attribute_definitions WHERE account = $1 ORDER BY key",
};

/** Defines missing ones as `auto`; outside the batch's transaction. @param createdAt milliseconds since 1970. @returns how many were made. */
export async function ensureAttributes(
  session: Session,
  keys: readonly AttributeKey[],
  createdAt: number,
): Promise<number> {
  if (keys.length === 0) return 0;
  const values = [plainArray(keys, (row) => row.account), textArray(keys, (row) => row.key), createdAt];
  return session.execute(ensureStatement, values);
}

export function loadAttributes(session: Session, account: number): Promise<AttributeDefinition[]> {
  return session.query(loadStatement, [account]);
}
