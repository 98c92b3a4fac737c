import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import { type Clock, createCache } from "@headwater/kernel";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { type PublishedVersion, readVersion, type VersionName } from "../orchestrations/postgres.ts";
import type { Journey } from "../orchestrations/run.ts";

/** An orchestration that starts runs, with the version that new runs follow. */
export interface Starting {
  readonly account: number;
  readonly journey: Journey;
  /** Facts at or before this position in the outbox start no run. */
  readonly enabledPosition: number;
}

interface OrchestrationRow {
  readonly account: number;
  readonly orchestration: string;
  readonly version: number | null;
  readonly isEnabled: boolean;
  readonly enabledPosition: number;
}

const COLUMNS = `o.account, o.id AS orchestration, o.version, o.is_enabled AND o.deleted_at IS NULL AS "isEnabled",
  o.enabled_position AS "enabledPosition"`;
const ofAccountsStatement = {
  name: "orchestrations_share_of_accounts",
  text: `SELECT ${COLUMNS} FROM orchestrations o WHERE o.account = ANY ($1::int[]) AND o.is_enabled AND o.version IS NOT NULL
    AND o.deleted_at IS NULL ORDER BY o.account, o.id FOR SHARE OF o`,
};
const namedStatement = {
  name: "orchestrations_share",
  text: `SELECT ${COLUMNS} FROM orchestrations o
    JOIN (SELECT DISTINCT account, id FROM unnest($1::int[], $2::text[]) AS a (account, id)) k ON (o.account, o.id) = (k.account, k.id)
    ORDER BY o.account, o.id FOR SHARE OF o`,
};
const VERSIONS_MAX = 2_000;
const ACCOUNTS_MAX = 10_000;
/** Settings may change: what is older is read again. */
const ACCOUNT_FRESH_MS = 5_000;

export type Journeys = ReturnType<typeof createJourneys>;

/**
 * Finds the versions that runs follow. Versions never change and are cached; whether an orchestration is enabled is read in each transaction,
 * and locked: nobody enables, disables or publishes it until the transaction ends.
 */
export function createJourneys(clock: Clock) {
  const accounts = createCache<number, Account>({ ttlMs: ACCOUNT_FRESH_MS, entriesMax: ACCOUNTS_MAX, clock });
  const accountOf = async (session: Session, number: number) => {
    const known = accounts.get(number);
    if (known !== undefined) return known;
    const read = await findAccountByNumber(session, number);
    if (read !== undefined) accounts.set(number, read);
    return read;
  };
  const versions = createCache<string, PublishedVersion>({ entriesMax: VERSIONS_MAX, clock });
  const versionOf = async (session: Session, name: VersionName) => {
    const key = `${name.account} ${name.orchestration} ${name.version}`;
    const known = versions.get(key);
    if (known !== undefined) return known;
    const read = await readVersion(session, name);
    if (read !== undefined) versions.set(key, read);
    return read;
  };
  const journeyOf = async (session: Session, row: OrchestrationRow, version: number): Promise<Journey | undefined> => {
    const { account: number, orchestration, isEnabled } = row;
    const [published, account] = await Promise.all([
      versionOf(session, { account: number, orchestration, version }),
      accountOf(session, number),
    ]);
    if (published === undefined || account === undefined) return undefined;
    const { composition } = published;
    return { orchestration, version, composition, isEnabled, timezone: account.settings.timezone };
  };
  return {
    account: accountOf,
    version: versionOf,
    /** Returns the orchestrations of some accounts that start runs. */
    async starting(transaction: Transaction, accounts: readonly number[]): Promise<Starting[]> {
      if (accounts.length === 0) return [];
      const rows = await transaction.query<OrchestrationRow>(ofAccountsStatement, [plainArray(accounts, (one) => one)]);
      const found = await Promise.all(
        rows.map(async (row) => {
          const journey = row.version === null ? undefined : await journeyOf(transaction, row, row.version);
          return journey && { account: row.account, journey, enabledPosition: row.enabledPosition };
        }),
      );
      return found.filter((one) => one !== undefined);
    },
    /** Returns one version. */
    async one(transaction: Transaction, name: VersionName): Promise<Journey | undefined> {
      return (await this.of(transaction, [name])).get(versionKey(name));
    },
    /** Returns the versions of runs, by `versionKey`; one that is not there any more is left out. */
    async of(transaction: Transaction, names: readonly VersionName[]): Promise<Map<string, Journey>> {
      if (names.length === 0) return new Map();
      const values = [plainArray(names, ({ account }) => account), textArray(names, (one) => one.orchestration)];
      const rows = await transaction.query<OrchestrationRow>(namedStatement, values);
      const byName = new Map(rows.map((row) => [`${row.account} ${row.orchestration}`, row]));
      const found = new Map<string, Journey>();
      for (const name of new Map(names.map((one) => [versionKey(one), one])).values()) {
        const row = byName.get(`${name.account} ${name.orchestration}`);
        const journey = row && (await journeyOf(transaction, row, name.version));
        if (journey !== undefined) found.set(versionKey(name), journey);
      }
      return found;
    },
  };
}

export function versionKey({ account, orchestration, version }: VersionName): string {
  return `${account} ${orchestration} ${version}`;
}
