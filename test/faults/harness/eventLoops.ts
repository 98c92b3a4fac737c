import { setTimeout as sleep } from "node:timers/promises";
import type { Apps } from "./apps.ts";

export interface LoopDelay {
  /** The longest delay of the event loop that was seen, in milliseconds. */
  readonly maxMs: number;
  /** The median over the samples of each second's 99th percentile, in milliseconds. */
  readonly usualP99Ms: number;
  /** The most resident memory that was seen, in MiB. */
  readonly memoryMib: number;
  readonly samples: number;
}

export interface EventLoopWatch {
  /** Ends the watch. @returns delays and memory by process name. */
  end(): Promise<Readonly<Record<string, LoopDelay>>>;
}

interface Sample {
  readonly maxMs: number;
  readonly p99Ms: number;
  readonly memoryMib: number;
}

const EVERY_MS = 1_000;
const SCRAPE_TIMEOUT_MS = 20_000;
const MIB = 1024 * 1024;

/** Scrapes the metrics of every process each second; one that is down meanwhile has fewer samples. */
export function watchEventLoops(apps: Pick<Apps, "all" | "operationsPort">): EventLoopWatch {
  const samples = new Map<string, Sample[]>();
  const ending = new AbortController();
  const look = async (name: string): Promise<void> => {
    const sample = await scrape(apps.operationsPort(name), ending.signal);
    if (sample !== undefined) samples.set(name, [...(samples.get(name) ?? []), sample]);
  };
  const watch = async (name: string): Promise<void> => {
    while (!ending.signal.aborted) {
      await look(name);
      await sleep(EVERY_MS);
    }
  };
  const watching = Promise.all(apps.all().map(({ name }) => watch(name)));
  return {
    async end() {
      ending.abort();
      await watching;
      return Object.fromEntries([...samples].map(([name, seen]) => [name, toDelay(seen)]));
    },
  };
}

/** @returns undefined when the process does not answer: it is being killed or started. */
async function scrape(port: number, ending: AbortSignal): Promise<Sample | undefined> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(SCRAPE_TIMEOUT_MS)]);
  const text = await fetch(`http://127.0.0.1:${port}/metrics`, { signal })
    .then((answer) => answer.text())
    .catch(() => undefined);
  if (text === undefined) return undefined;
  const metricOf = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  const sample = {
    maxMs: metricOf("nodejs_eventloop_lag_max_seconds") * 1_000,
    p99Ms: metricOf("nodejs_eventloop_lag_p99_seconds") * 1_000,
    memoryMib: metricOf("process_resident_memory_bytes") / MIB,
  };
  return Number.isNaN(sample.maxMs) ? undefined : sample;
}

function toDelay(samples: readonly Sample[]): LoopDelay {
  const p99s = samples.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  return {
    maxMs: Math.round(Math.max(...samples.map(({ maxMs }) => maxMs))),
    usualP99Ms: Math.round(p99s[p99s.length >> 1] ?? 0),
    memoryMib: Math.round(Math.max(...samples.map(({ memoryMib }) => memoryMib))),
    samples: samples.length,
  };
}
