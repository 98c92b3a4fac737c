import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { useServices } from "@headwater/testing";
import { logger } from "./fresh.ts";

const folder = new URL("../../../packages/clickhouse/src/migrations/", import.meta.url);

/** An empty database of ClickHouse for tables as former versions made them. */
export interface FormerDatabase {
  readonly url: string;
  readonly store: ClickHouse;
  /** Runs the statements of all migrations up to a number, without book-keeping. */
  runFiles(last: string): Promise<void>;
  drop(): Promise<void>;
}

export async function openFormerDatabase(): Promise<FormerDatabase> {
  const fresh = new URL(useServices().clickhouseUrl);
  const database = `upgrade_${randomBytes(6).toString("hex")}`;
  const admin = createClickHouse({ url: fresh.href, requestTimeoutMs: 120_000, logger });
  await admin.command(`CREATE DATABASE ${database}`);
  await admin.close();
  fresh.pathname = `/${database}`;
  const store = createClickHouse({ url: fresh.href, requestTimeoutMs: 120_000, logger });
  return {
    url: fresh.href,
    store,
    runFiles: async (last) => {
      const former = (await readdir(folder)).filter((name) => name <= `${last}~`).toSorted();
      for (const sql of await Promise.all(former.map((name) => readFile(new URL(name, folder), "utf8"))))
        for (const one of sql.split(/;[ \t]*$/m))
          if (one.trim() !== "" && (await isWanted(store, one))) await store.command(one);
    },
    drop: async () => {
      await store.command(`DROP DATABASE ${database}`);
      await store.close();
    },
  };
}

async function isWanted(store: ClickHouse, statement: string): Promise<boolean> {
  const condition = /^-- when: SELECT (.*)$/m.exec(statement)?.[1];
  if (condition === undefined) return true;
  const [row] = await store.query<{ wanted: number }>(`SELECT (SELECT ${condition}) AS wanted`);
  return row?.wanted === 1;
}
