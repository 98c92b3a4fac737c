import type { Postgres } from "@headwater/postgres/connection/postgres";
import { until } from "../harness/until.ts";

/** Name of a step: the job's name and the phase that the step is in; `first` has none yet. */
export type GateName = `${string} ${string}`;

/** Holds a worker where the work of a step is done outside and not reported yet: the worst moment of all. */
export interface Gate {
  /** Waits until a worker stands before it. */
  reached(timeoutMs?: number): Promise<void>;
  isReached(): Promise<boolean>;
  open(): Promise<void>;
}

/** First key of the locks that gates are. */
export const GATE_CLASS = 4_713;
const REACHED_TIMEOUT_MS = 90_000;

/** Makes every step of a job pass a lock of its name before it is stored. */
export async function installGates(postgres: Postgres): Promise<void> {
  await postgres.execute({
    text: `CREATE FUNCTION fault_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(${GATE_CLASS}, hashtext(OLD.name || ' ' || COALESCE(OLD.progress::jsonb->>'phase', 'first')));
        RETURN NEW;
      END $$`,
  });
  await postgres.execute({
    text: "CREATE TRIGGER fault_gate BEFORE UPDATE OF progress ON jobs FOR EACH ROW EXECUTE FUNCTION fault_gate()",
  });
}

/** @param postgres connections that may be idle in a transaction for as long as a gate is closed. */
export async function closeGate(postgres: Postgres, name: GateName): Promise<Gate> {
  const closed = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const held = postgres.transaction(async (transaction) => {
    await transaction.query({ text: `SELECT 1 FROM pg_advisory_xact_lock(${GATE_CLASS}, hashtext($1))` }, [name]);
    closed.resolve();
    await opened.promise;
  });
  // A Postgres that was killed keeps no lock: its gates are open.
  const ended = held.then(
    () => undefined,
    (error: unknown) => closed.reject(error),
  );
  await closed.promise;
  const isReached = async () => {
    const rows = await postgres.query(
      {
        text: `SELECT 1 AS waits FROM pg_locks
          WHERE locktype = 'advisory' AND classid = ${GATE_CLASS} AND objid = hashtext($1)::bit(32)::bigint::oid AND NOT granted`,
      },
      [name],
    );
    return rows.length > 0;
  };
  return {
    isReached,
    reached: (timeoutMs = REACHED_TIMEOUT_MS) =>
      until(async () => ((await isReached()) ? undefined : `nobody at ${name}`), { timeoutMs, everyMs: 20 }),
    async open() {
      opened.resolve();
      await ended;
    },
  };
}
