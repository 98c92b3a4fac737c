import { extractTraceparent, type Metrics, tracer } from "@headwater/kernel";

export interface Access {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly traceparent: string | undefined;
}

export interface AccessMetrics {
  observe(access: Access): void;
  aborted(route: string): void;
}

/** Durations by route, method and status; with `isTracing` a span of every request that is sampled. */
export function createAccessMetrics(metrics: Metrics, isTracing: boolean): AccessMetrics {
  const seconds = metrics.histogram({
    name: "headwater_http_request_seconds",
    help: "Time from a request's headers to its answer.",
    labels: ["route", "method", "status"],
  });
  const aborted = metrics.counter({
    name: "headwater_http_aborted_total",
    help: "Requests whose client hung up before there was an answer.",
    labels: ["route"],
  });
  const children = new Map<string, ReturnType<typeof seconds.labels>>();
  return {
    observe(access) {
      const { route, method, status } = access;
      const id = `${method} ${status} ${route}`;
      let child = children.get(id);
      if (child === undefined) {
        child = seconds.labels({ route, method, status: String(status) });
        children.set(id, child);
      }
      child.observe(access.seconds);
      if (isTracing) trace(access);
    },
    aborted: (route) => aborted.inc({ route }),
  };
}

/** Made when all is known of it: nothing has to be carried through the request. */
function trace({ route, method, status, seconds, traceparent }: Access): void {
  const endMs = Date.now();
  const attributes = { "http.route": route, "http.request.method": method, "http.response.status_code": status };
  const options = { startTime: endMs - seconds * 1_000, attributes };
  tracer().startSpan(`${method} ${route}`, options, extractTraceparent(traceparent)).end(endMs);
}
