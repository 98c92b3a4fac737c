import { findListeningPid } from "../../../infra/src/index.ts";
import type { Bench } from "../world/services.ts";
import { cpuSecondsWithEnded } from "./processUsage.ts";

const storeNames = ["Kafka", "Postgres", "ClickHouse"] as const;
/** Processor time in seconds by store; those on another machine are left out. */
export type StoreUsage = Readonly<Partial<Record<(typeof storeNames)[number], number>>>;

/** Finds the processes of the stores that run on this machine. */
export function findStores({ services }: Bench): Partial<Record<(typeof storeNames)[number], number>> {
  const ports = {
    Kafka: Number(services.kafkaBrokers.split(",")[0]?.split(":").at(-1)),
    Postgres: Number(new URL(services.postgresUrl).port),
    ClickHouse: Number(new URL(services.clickhouseUrl).port),
  };
  return Object.fromEntries(
    storeNames.flatMap((name) => {
      const pid = findListeningPid(ports[name]);
      return pid === undefined ? [] : [[name, pid] as const];
    }),
  );
}

/** Reads how much processor time the stores have taken so far. */
export function readStoreUsage(bench: Bench): StoreUsage {
  return Object.fromEntries(Object.entries(findStores(bench)).map(([name, pid]) => [name, cpuSecondsWithEnded(pid)]));
}

/** Returns the difference of two readings. */
export function usageSince(before: StoreUsage, after: StoreUsage): StoreUsage {
  return Object.fromEntries(
    storeNames.flatMap((name) => {
      const [from, to] = [before[name], after[name]];
      return from === undefined || to === undefined ? [] : [[name, to - from] as const];
    }),
  );
}

interface Used {
  readonly events: number;
  readonly cpuSeconds?: number;
  readonly stores?: StoreUsage;
}

/** Returns the microseconds of processor time a record, of our process and of each store, over all stretches. */
export function microsPerRecord(ourName: string, stretches: readonly Used[]): Record<string, number> {
  const events = stretches.reduce((sum, one) => sum + one.events, 0);
  const microsOf = (name: string, of: (one: Used) => number | undefined): (readonly [string, number])[] => {
    const seconds = stretches.map(of);
    if (seconds.includes(undefined)) return [];
    const all = seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    return [[name, (all * 1e6) / events]];
  };
  return Object.fromEntries([
    ...microsOf(ourName, ({ cpuSeconds }) => cpuSeconds),
    ...storeNames.flatMap((name) => microsOf(name, ({ stores }) => stores?.[name])),
  ]);
}

/** Words for `microsPerRecord`. */
export function sentenceOfMicros(micros: Readonly<Record<string, number>>): string {
  const parts = Object.entries(micros).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  return `µs of processor time a record: ${parts.join(", ")}`;
}
