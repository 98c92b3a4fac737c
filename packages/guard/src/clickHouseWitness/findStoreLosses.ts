import type { HeldStore, KnownStore } from "./storeFacts.ts";

/** Difference that no restart, merge, erasure or outage explains: ClickHouse lacks something that it has confirmed. */
export type StoreLoss =
  | { readonly kind: "foreign" }
  | { readonly kind: "identity" }
  | { readonly kind: "mark"; readonly stream: string; readonly known: number; readonly held: number }
  | { readonly kind: "table"; readonly table: string; readonly is: "missing" | "replaced" | "empty" };

/**
 * Compares what Postgres knows of ClickHouse with what ClickHouse holds. Postgres is to be read first: a mark is in ClickHouse before
 * Postgres stores it, so an equal or greater mark there is the normal case at any instant.
 * @param held undefined when the database or its table of marks does not exist.
 */
export function findStoreLosses(known: KnownStore, held: HeldStore | undefined): StoreLoss[] {
  const { identity } = known;
  if (identity === undefined) return held === undefined || held.identities.length === 0 ? [] : [{ kind: "foreign" }];
  if (!known.isEstablished) return [];
  if (held === undefined || !held.identities.includes(identity)) return [{ kind: "identity" }];
  return [...lostMarks(known, held), ...lostTables(known, held)];
}

/** Returns whether a migration has changed tables since they were noted. */
export function areTablesOutdated(known: KnownStore, held: HeldStore): boolean {
  return held.migrations > known.migrations;
}

function lostMarks({ marks }: KnownStore, held: HeldStore): StoreLoss[] {
  return Object.entries(marks).flatMap(([stream, known]) => {
    const mark = held.marks.get(stream) ?? 0;
    return mark < known ? [{ kind: "mark", stream, known, held: mark }] : [];
  });
}

/** Migrations may exchange and drop tables. Those that are left have at least the row of account 0. */
function lostTables(known: KnownStore, held: HeldStore): StoreLoss[] {
  const isOutdated = areTablesOutdated(known, held);
  return Object.entries(known.tables).flatMap(([table, uuid]): StoreLoss[] => {
    const found = held.tables.find(({ name }) => name === table);
    if (found === undefined) return isOutdated ? [] : [{ kind: "table", table, is: "missing" }];
    if (found.rows === 0) return [{ kind: "table", table, is: "empty" }];
    return isOutdated || found.uuid === uuid ? [] : [{ kind: "table", table, is: "replaced" }];
  });
}

/** Says in one sentence what is wrong and what to do. */
export function sentenceOfLosses([first, ...more]: readonly [StoreLoss, ...StoreLoss[]]): string {
  const others = more.length === 0 ? "" : ` (and ${more.length} more findings)`;
  return `ClickHouse went back: ${whatOf(first)}${others}. Nothing is read from it until the former server is back or \`headwater stores rebuild clickhouse\` has run.`;
}

function whatOf(loss: StoreLoss): string {
  switch (loss.kind) {
    case "foreign":
      return "it belongs to another installation, and Postgres has never written to it";
    case "identity":
      return "it was emptied or is another server, because it does not hold the identity that Postgres knows";
    case "mark":
      return `it has confirmed ${loss.stream} up to offset ${loss.known} and holds it up to ${loss.held}`;
    case "table":
      return {
        missing: `its table ${loss.table} is missing`,
        replaced: `its table ${loss.table} was created again`,
        empty: `its table ${loss.table} is empty`,
      }[loss.is];
  }
}
