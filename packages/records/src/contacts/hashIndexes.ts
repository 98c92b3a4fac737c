import { createWorkLoop, type Logger, type Part } from "@headwater/kernel";
import type { Admission } from "@headwater/postgres/connection/admission";
import { type OwnClient, withOwnConnection } from "@headwater/postgres/connection/ownConnection";
import type { Session } from "@headwater/postgres/connection/session";

const CHECK_EVERY_MS = 2_000;
const RETRY_MS = { minMs: 1_000, maxMs: 60_000 } as const;
/** Any number, the same for all processes of all versions: one of them builds. */
const LOCK_KEY = 7_238_402;
const PREFIX = "contact_identifiers_hashed_";

const wantedStatement = {
  name: "hash_indexes_wanted",
  text: `SELECT number FROM intake.accounts WHERE settings #> '{partners,cdpsync,hashedIdentities}' = 'true' ORDER BY number`,
};
const builtStatement = {
  name: "hash_indexes_built",
  text: `SELECT c.relname AS name, i.indisvalid AS "isValid" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = 'contact_identifiers'::regclass AND starts_with(c.relname, $1)`,
};

export interface HashIndexesOptions {
  readonly postgres: Pick<Session, "query">;
  readonly url: string;
  readonly applicationName: string;
  /** Nothing is built on a server that is refused. */
  readonly admission?: Admission | undefined;
  readonly logger: Logger;
}

/**
 * The part of a process that keeps an index of hashed addresses for every account that asked for it, and for no other. Built and dropped
 * next to writers, by one process at a time; what a kill leaves half built is dropped and built again. Until it stands, look-ups read the
 * account's identifiers instead: an index makes them quick and never right.
 */
export function createHashIndexes({ postgres, logger, ...connection }: HashIndexesOptions): Part {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    if ((await findIndexChanges(postgres)).length === 0) return false;
    // No statement timeout: a build takes as long as the table is large.
    const own = { admission: undefined, ...connection, signal, logger };
    await withOwnConnection(own, (client) => applyChanges(client, logger));
    return false;
  };
  const loop = createWorkLoop({
    work,
    idleMs: CHECK_EVERY_MS,
    ...RETRY_MS,
    onRetry: ({ error }) => logger.warn({ err: error }, "an index of hashed addresses cannot be built yet"),
  });
  return {
    start: () => loop.start(),
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

interface IndexChange {
  readonly text: string;
  readonly name: string;
}

/** Statements that bring the indexes to what the settings of the accounts ask for; none, nearly always. */
export async function findIndexChanges(session: Pick<Session, "query">): Promise<IndexChange[]> {
  const wanted = await session.query<{ number: number }>(wantedStatement);
  const built = await session.query<{ name: string; isValid: boolean }>(builtStatement, [PREFIX]);
  const names = new Map(wanted.map(({ number }) => [`${PREFIX}${number}`, number]));
  const dropped = built
    .filter(({ name, isValid }) => !isValid || !names.has(name))
    .map(({ name }) => ({ name, text: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` }));
  const valid = new Set(built.filter(({ isValid }) => isValid).map(({ name }) => name));
  const created = [...names]
    .filter(([name]) => !valid.has(name))
    .map(([name, account]) => ({ name, text: createText(name, account) }));
  return [...dropped, ...created];
}

function createText(name: string, account: number): string {
  return `CREATE INDEX CONCURRENTLY ${name} ON contact_identifiers USING gin (address_hashes(value))
    WITH (fastupdate = off) WHERE account = ${account}`;
}

/** Skipped while another process does it. What is to be done is checked under the lock: one that is being built is not broken. */
async function applyChanges(client: OwnClient, logger: Logger): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [LOCK_KEY]);
  if (rows[0]?.locked !== true) return;
  const changes = await findIndexChanges({
    query: async (statement, values = []) => (await client.query(statement.text, [...values])).rows,
  });
  for (const { name, text } of changes) {
    await client.query(text);
    logger.info({ index: name }, "changed an index of hashed addresses");
  }
  await client.query("ANALYZE contact_identifiers");
}
