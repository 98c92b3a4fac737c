import type { Postgres } from "@headwater/postgres/connection/postgres";

/*
 * Copies what a dump holds from one cluster into another whose tables are made: rows and the values of sequences. Transaction numbers,
 * snapshots and the system identifier stay behind, as with pg_dump, which comes with no package of ours.
 */

const ROWS_AT_A_TIME = 2_000;
const OURS = "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'";

interface Table {
  readonly name: string;
  readonly columns: string;
}

const tablesStatement = {
  text: `SELECT format('%I.%I', n.nspname, c.relname) AS name,
      (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND ${OURS} ORDER BY 1`,
};
const sequencesStatement = {
  text: `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value FROM pg_sequences
    WHERE last_value IS NOT NULL`,
};

/** Makes `to` a logical copy of `from`. Both have the same migrations. */
export async function copyPostgres(from: Postgres, to: Postgres): Promise<void> {
  const tables = await from.query<Table & Record<string, unknown>>(tablesStatement);
  const sequences = await from.query<{ name: string; value: string }>(sequencesStatement);
  await to.transaction(async (transaction) => {
    // Foreign keys are as they were, whatever comes first.
    await transaction.execute({ text: "SET LOCAL session_replication_role = replica" });
    for (const { name, columns } of tables) {
      await transaction.execute({ text: `DELETE FROM ${name}` });
      const rows = await from.query<{ row: string }>({ text: `SELECT to_jsonb(t)::text AS row FROM ONLY ${name} t` });
      for (let first = 0; first < rows.length; first += ROWS_AT_A_TIME) {
        const some = rows.slice(first, first + ROWS_AT_A_TIME).map(({ row }) => row);
        const text = `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
          SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`;
        await transaction.execute({ text }, [`[${some.join(",")}]`]);
      }
    }
    for (const { name, value } of sequences) {
      await transaction.execute({ text: "SELECT setval($1::regclass, $2::bigint)" }, [name, value]);
    }
  });
}

/** Takes transaction numbers, as a cluster does that has run for long. */
export async function takeTransactionNumbers(postgres: Postgres, count: number): Promise<void> {
  await postgres.execute({
    text: `DO $$ BEGIN FOR i IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  });
}
