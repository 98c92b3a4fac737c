import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { watchLoopTurns } from "./loopTurns.ts";

export type { Counter, Gauge, Histogram };

export interface MetricInit<Label extends string> {
  /** Prometheus name with its unit: `headwater_ingress_records_total`, `…_seconds`, `…_bytes`. */
  readonly name: string;
  readonly help: string;
  /** Few values each, for every combination is a series: never ids, never texts of a user. */
  readonly labels?: readonly Label[];
}

export interface CounterInit<Label extends string> extends MetricInit<Label> {
  /**
   * Known values of every label. Their series exist from the start with the value 0: without that, `rate` and `increase` do not see the first
   * increment of a series.
   */
  readonly values?: Readonly<Record<Label, readonly string[]>>;
}

export interface HistogramInit<Label extends string> extends MetricInit<Label> {
  /** Upper bounds, ascending; default 1 ms to 10 s, in seconds. */
  readonly buckets?: readonly number[];
}

export interface GaugeInit<Label extends string> extends MetricInit<Label> {
  /** Called at every scrape to set the gauge; what it throws fails the scrape. */
  readonly collect?: (gauge: Gauge<Label>) => void | Promise<void>;
}

/** A process's metrics, in a registry of their own. A name registered twice throws. */
export interface Metrics {
  counter<Label extends string = never>(init: CounterInit<Label>): Counter<Label>;
  gauge<Label extends string = never>(init: GaugeInit<Label>): Gauge<Label>;
  histogram<Label extends string = never>(init: HistogramInit<Label>): Histogram<Label>;
  /** All metrics in the Prometheus text format. */
  render(): Promise<string>;
  /** The `Content-Type` of what `render` gives. */
  readonly contentType: string;
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics of a process; memory, CPU, event loop and garbage collection are in them unless switched off. */
export function createMetrics(options: { readonly processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics ?? true) {
    collectDefaultMetrics({ register: registry });
    const takeLongest = watchLoopTurns();
    createGauge(
      {
        name: "headwater_event_loop_turn_max_seconds",
        help: "Longest processor time that the event loop was held since the last scrape.",
        collect: (gauge) => gauge.set(takeLongest()),
      },
      registry,
    );
  }
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    counter: (init) => createCounter(init, registry),
    gauge: (init) => createGauge(init, registry),
    histogram: (init) => new Histogram({ ...common(init, registry), buckets: [...(init.buckets ?? SECONDS_BUCKETS)] }),
  };
}

function common<Label extends string>(init: MetricInit<Label>, registry: Registry) {
  return { name: init.name, help: init.help, labelNames: init.labels ?? [], registers: [registry] };
}

function createCounter<Label extends string>(init: CounterInit<Label>, registry: Registry): Counter<Label> {
  const counter: Counter<Label> = new Counter(common(init, registry));
  if (init.values === undefined) return counter;
  let series: Partial<Record<Label, string>>[] = [{}];
  for (const label of init.labels ?? []) {
    const values = init.values[label];
    series = series.flatMap((labels) => values.map((value) => ({ ...labels, [label]: value })));
  }
  for (const labels of series) counter.inc(labels, 0);
  return counter;
}

function createGauge<Label extends string>(init: GaugeInit<Label>, registry: Registry): Gauge<Label> {
  const collect = init.collect;
  if (collect === undefined) {
    return new Gauge(common(init, registry));
  }
  const gauge: Gauge<Label> = new Gauge({ ...common(init, registry), collect: () => collect(gauge) });
  return gauge;
}
