import type { World } from "../world/world.ts";

const CHECK_MS = 50;
/** Kinds of waiting that are shown. */
const DISPLAYED_MAX = 6;

const statement = `SELECT coalesce(wait_event_type || ' ' || wait_event, 'running') AS kind, count(*)::int AS connections
  FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() GROUP BY 1`;

export interface Waits {
  /** Ends the checks. @returns a sentence: what the connections at work were doing, by share. */
  end(): Promise<string>;
}

/** Samples what Postgres' connections wait for, again and again. */
export function watchWaits({ postgres }: World): Waits {
  const seen = new Map<string, number>();
  let isEnded = false;
  const check = async () => {
    while (!isEnded) {
      const rows = await postgres.query<{ kind: string; connections: number }>({ text: statement });
      for (const { kind, connections } of rows) seen.set(kind, (seen.get(kind) ?? 0) + connections);
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
  };
  const looking = check();
  looking.catch(() => undefined);
  return {
    async end() {
      isEnded = true;
      await looking;
      return sentenceOf(seen);
    },
  };
}

function sentenceOf(seen: ReadonlyMap<string, number>): string {
  const all = [...seen.values()].reduce((sum, one) => sum + one, 0);
  const parts = [...seen].toSorted(([, a], [, b]) => b - a).slice(0, DISPLAYED_MAX);
  const words = parts.map(([kind, connections]) => `${kind} ${((100 * connections) / all).toFixed(0)} %`);
  return `Postgres' connections at work: ${words.join(", ")}`;
}
