import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { watchLoopTurns } from "@headwater/kernel";
import type { Apps } from "./apps.ts";

export interface LoopDelay {
  /** The longest delay of the event loop that was seen, in milliseconds. */
  readonly maxMs: number;
  /** The longest time of a core in one turn of the event loop, in milliseconds: other processes of a busy machine do not count. */
  readonly turnMs: number;
  /** The median over the samples of each second's 99th percentile, in milliseconds. */
  readonly usualP99Ms: number;
  /** The most resident memory that was seen, in MiB, without V8's young generation: its size is an option of the process, and any load fills it. */
  readonly memoryMib: number;
  readonly samples: number;
}

export interface EventLoopWatch {
  /** Leaves out what is seen of a process while it is stopped from outside, and right after: that delay is not its own. */
  whileStopped(name: string, work: () => Promise<void>): Promise<void>;
  /** Ends the watch. @returns delays and memory by process name. */
  end(): Promise<Readonly<Record<string, LoopDelay>>>;
}

interface Sample {
  readonly maxMs: number;
  readonly turnMs: number;
  readonly p99Ms: number;
  readonly memoryMib: number;
}

const EVERY_MS = 1_000;
const SCRAPE_TIMEOUT_MS = 20_000;
const MIB = 1024 * 1024;
/** Scrapes that may still show a stop: the one that waited for its end, and the next. */
const LEFT_OUT_AFTER_STOP = 2;

/** Scrapes the metrics of every process each second, also of those that come later; one that is down has fewer samples. */
export function watchEventLoops(apps: Pick<Apps, "all" | "operationsPort">): EventLoopWatch {
  const watched = new Map<string, Watched>();
  const ending = new AbortController();
  const watchedOf = (name: string): Watched => {
    const created = watched.get(name) ?? { samples: [], leftOut: 0, scraping: undefined };
    watched.set(name, created);
    return created;
  };
  const check = async (name: string, one: Watched): Promise<void> => {
    const sample = await scrape(apps.operationsPort(name), ending.signal);
    if (sample === undefined) return;
    if (one.leftOut === 0) one.samples.push(sample);
    else one.leftOut -= 1;
  };
  const checkAll = (): void => {
    for (const { name } of apps.all()) {
      const one = watchedOf(name);
      one.scraping ??= check(name, one).finally(() => {
        one.scraping = undefined;
      });
    }
  };
  const timer = setInterval(checkAll, EVERY_MS);
  return {
    async whileStopped(name, work) {
      const one = watchedOf(name);
      one.leftOut = Number.POSITIVE_INFINITY;
      await work().finally(() => {
        one.leftOut = LEFT_OUT_AFTER_STOP;
      });
    },
    async end() {
      clearInterval(timer);
      ending.abort();
      const all = [...watched];
      await Promise.all(all.map(([, { scraping }]) => scraping));
      const seen = all.filter(([, { samples }]) => samples.length > 0);
      return Object.fromEntries(seen.map(([name, { samples }]) => [name, toDelay(samples)]));
    },
  };
}

interface Watched {
  readonly samples: Sample[];
  /** Number of samples that do not count. */
  leftOut: number;
  scraping: Promise<void> | undefined;
}

/** Watches the event loop of this process, in which the senders run and what is not a process of its own. */
export function watchOwnLoop(): { end(): LoopDelay } {
  const histogram = monitorEventLoopDelay();
  const takeLongest = watchLoopTurns();
  const samples: Sample[] = [];
  const take = (): void => {
    const [maxMs, p99Ms] = [histogram.max, histogram.percentile(99)].map((nanoseconds) => nanoseconds / NS_PER_MS);
    samples.push({
      maxMs: maxMs ?? 0,
      turnMs: takeLongest() * 1_000,
      p99Ms: p99Ms ?? 0,
      memoryMib: (process.memoryUsage.rss() - youngBytes()) / MIB,
    });
    histogram.reset();
  };
  histogram.enable();
  const timer = setInterval(take, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      take();
      histogram.disable();
      return toDelay(samples);
    },
  };
}

const NS_PER_MS = 1_000_000;

const YOUNG_BYTES = 'nodejs_heap_space_size_total_bytes{space="new"}';

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return young?.space_size ?? 0;
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
    turnMs: metricOf("headwater_event_loop_turn_max_seconds") * 1_000,
    p99Ms: metricOf("nodejs_eventloop_lag_p99_seconds") * 1_000,
    memoryMib: (metricOf("process_resident_memory_bytes") - metricOf(YOUNG_BYTES)) / MIB,
  };
  return Number.isNaN(sample.maxMs) ? undefined : sample;
}

function toDelay(samples: readonly Sample[]): LoopDelay {
  const p99s = samples.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  return {
    maxMs: Math.round(Math.max(...samples.map(({ maxMs }) => maxMs))),
    turnMs: Math.round(Math.max(...samples.map(({ turnMs }) => turnMs))),
    usualP99Ms: Math.round(p99s[p99s.length >> 1] ?? 0),
    memoryMib: Math.round(Math.max(...samples.map(({ memoryMib }) => memoryMib))),
    samples: samples.length,
  };
}
