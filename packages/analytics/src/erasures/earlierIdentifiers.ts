import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, findsByHash, hashedFormsOf } from "@headwater/contracts";
import { erasedHashOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { loadIdentifiers } from "@headwater/records/contacts/identifiers";
import { readErasureSecret } from "@headwater/records/erasures/erasureSecret";
import { type Erasure, insertTombstones } from "@headwater/records/erasures/erasures";
import type { ErasedIdentifier } from "./traces.ts";

/** A contact that had more has its newest forgotten as well. */
const IDENTIFIERS_MAX = 10_000;
const PREFIX = "identifiers.";

const ownQuery = `SELECT DISTINCT field, text FROM contact_fields_history
  WHERE account = {account: UInt32} AND contact IN {numbers: Array(UInt64)} AND startsWith(field, {prefix: String})
    AND kind = 'string' AND text != '' LIMIT {max: UInt32}`;
const othersQuery = `SELECT DISTINCT field, text FROM contact_fields_history
  WHERE account = {account: UInt32} AND field IN {fields: Array(String)} AND (field, text) IN (
      SELECT field, text FROM contact_fields_history WHERE account = {account: UInt32}
        AND contact IN {numbers: Array(UInt64)} AND startsWith(field, {prefix: String}) AND kind = 'string')
    AND contact NOT IN {numbers: Array(UInt64)}`;

interface FieldText {
  readonly field: string;
  readonly text: string;
}

/**
 * Returns the identifiers in the contact's history that it no longer has. Those that another contact has or had are left out: records that
 * name them may be about that one.
 */
export async function earlierIdentifiers(
  clickhouse: ClickHouse,
  { account, numbers }: Erasure,
  known: readonly ErasedIdentifier[],
): Promise<ErasedIdentifier[]> {
  const params = { account, numbers, prefix: PREFIX };
  const own = await clickhouse.query<FieldText>(ownQuery, { ...params, max: IDENTIFIERS_MAX });
  const found = own.map(({ field, text }) => ({ name: field.slice(PREFIX.length), value: text }));
  const earlier = found.filter(({ name, value }) => !known.some((one) => one.name === name && one.value === value));
  if (earlier.length === 0) return [];
  const fields = [...new Set(earlier.map(({ name }) => PREFIX + name))];
  const shared = await clickhouse.query<FieldText>(othersQuery, { ...params, fields });
  const theirs = new Set(shared.map(({ field, text }) => `${field}\n${text}`));
  return earlier.filter(({ name, value }) => !theirs.has(`${PREFIX}${name}\n${value}`));
}

/**
 * Remembers them as erased, but those that find somebody now. The identifiers are searched for where the contact's own are.
 * @returns those that are nobody's.
 */
export async function keepEarlier(
  transaction: Transaction,
  erasure: Erasure,
  { account: of, earlier }: { readonly account: Account; readonly earlier: readonly ErasedIdentifier[] },
): Promise<ErasedIdentifier[]> {
  if (earlier.length === 0) return [];
  const { account } = erasure;
  const owned = await loadIdentifiers(
    transaction,
    earlier.map((identifier) => ({ account, ...identifier })),
  );
  const nobodys = earlier.filter(({ name, value }) => !owned.some((one) => one.name === name && one.value === value));
  const secret = await readErasureSecret(transaction);
  const { version } = erasure;
  const forms = nobodys.flatMap((one) =>
    findsByHash(of.settings) ? [one, ...hashedFormsOf(of.settings, one)] : [one],
  );
  const tombstones = forms.map((one) => ({ hash: erasedHashOf(secret, of.id, one), version }));
  await insertTombstones(transaction, account, tombstones);
  return nobodys;
}
