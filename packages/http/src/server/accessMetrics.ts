import { extractTraceparent, type Metrics, type Span, tracer } from "@headwater/kernel";

export interface Access {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly span: Span | undefined;
}

export interface AccessMetrics {
  /** The request's span while requests are traced. */
  begin(route: string, method: string, traceparent: string | undefined): Span | undefined;
  observe(access: Access): void;
  /** Shows a route that nobody has called yet. */
  known(route: string): void;
  aborted(route: string): void;
}

/** Durations by route, method and status; with `isTracing` a span of every request, of which some are sampled. */
export function createAccessMetrics(metrics: Metrics, isTracing: boolean): AccessMetrics {
  const seconds = metrics.histogram({
    name: "headwater_http_request_seconds",
    help: "Time from the request headers to the response.",
    labels: ["route", "method", "status"],
  });
  const aborted = metrics.counter({
    name: "headwater_http_aborted_total",
    help: "Requests whose client disconnected before the response.",
    labels: ["route"],
  });
  const children = new Map<string, ReturnType<typeof seconds.labels>>();
  return {
    begin: (route, method, traceparent) =>
      isTracing ? tracer().startSpan(`${method} ${route}`, {}, extractTraceparent(traceparent)) : undefined,
    observe(access) {
      const { route, method, status } = access;
      const id = `${method} ${status} ${route}`;
      let child = children.get(id);
      if (child === undefined) {
        child = seconds.labels({ route, method, status: String(status) });
        children.set(id, child);
      }
      child.observe(access.seconds);
      if (access.span !== undefined) endSpan(access.span, access);
    },
    known: (route) => aborted.inc({ route }, 0),
    aborted: (route) => aborted.inc({ route }),
  };
}

function endSpan(span: Span, { route, method, status }: Access): void {
  span.setAttributes({ "http.route": route, "http.request.method": method, "http.response.status_code": status });
  span.end();
}
