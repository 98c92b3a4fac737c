import { createBinder } from "./binder.ts";
import { CLOCK_SKEW_MS } from "./clock.ts";
import type { CompileOptions } from "./compileCriteria.ts";
import { hasMergesSql } from "./merges.ts";
import { type NoteCode, type Scope, STAGES, type Stage } from "./scope.ts";

interface Note {
  readonly path: string;
  readonly code: NoteCode;
  readonly sql: string;
  readonly column: string;
}

export interface Query {
  readonly scope: Scope;
  readonly notes: readonly Note[];
  /** The statement with all sets that were added to the scope. */
  toSql(columns: readonly string[]): string;
}

export function createQuery(options: CompileOptions): Query {
  const bind = createBinder();
  const account = bind.uint(options.account);
  const sets = new Map<string, { readonly name: string; readonly stage: Stage }>();
  const notes: Note[] = [];
  const { asOf, now } = options;
  const isPast = options.basis === "recorded" && asOf !== undefined && asOf < now;
  const scope: Scope = {
    bind,
    clock: clockOf(options),
    account,
    currency: options.currency,
    hasMerges: options.hasMerges,
    ...(isPast && { historyAt: bind.instant(asOf) }),
    addSet: (sql, stage = "rows") => {
      const set = sets.get(sql) ?? { name: `s${sets.size}`, stage };
      sets.set(sql, set);
      return set.name;
    },
    addNote: (path, code, sql) => {
      if (options.explain) notes.push({ path, code, sql, column: `x${notes.length}` });
    },
  };
  const toSql = (columns: readonly string[]) => {
    const texts = [...sets].map(([sql, { name }]) => `(${sql}) AS ${name}`);
    const names = (stage: Stage) => [...sets.values()].filter((set) => set.stage === stage).map(({ name }) => name);
    const read = options.hasMerges
      ? [`ignore(${STAGES.flatMap(names).join(", ")}) AS sets`, ...columns]
      : [...columns, `(${hasMergesSql(scope)}) AS merges`];
    return `${texts.length > 0 ? `WITH\n  ${texts.join(",\n  ")}\n` : ""}SELECT\n  ${read.join(",\n  ")}`;
  };
  return { scope, notes, toSql };
}

function clockOf({ asOf, now, basis, timezone }: CompileOptions): Scope["clock"] {
  const reference = asOf ?? now;
  const end = asOf ?? now + CLOCK_SKEW_MS;
  if (asOf === undefined) return { reference, end, timezone };
  return { reference, end, timezone, seen: asOf, ...(basis === "event" && { seenOrders: asOf }) };
}
