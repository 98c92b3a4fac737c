import { expect, test } from "vitest";
import { mergeMetrics } from "./operations.ts";

test("metrics of one name from several processes stand under one header, each with its process", () => {
  const page = (value: number) =>
    `# HELP requests_total Requests.\n# TYPE requests_total counter\nrequests_total{code="202"} ${value}\n`;
  const gauge = "# HELP up Up.\n# TYPE up gauge\nup 1\n";
  const merged = mergeMetrics(
    new Map([
      ["ingress", page(1) + gauge],
      ["service", page(2)],
    ]),
  );
  expect(merged).toBe(
    [
      "# HELP requests_total Requests.",
      "# TYPE requests_total counter",
      'requests_total{app="ingress",code="202"} 1',
      'requests_total{app="service",code="202"} 2',
      "# HELP up Up.",
      "# TYPE up gauge",
      'up{app="ingress"} 1',
      "",
    ].join("\n"),
  );
});

test("the buckets of a histogram stay under its header, whatever their labels hold", () => {
  const page = '# TYPE took histogram\ntook_bucket{le="1",path="/a {b} \\"c\\""} 3\ntook_sum 2\ntook_count 3\n';
  expect(mergeMetrics(new Map([["a", page]]))).toBe(
    '# TYPE took histogram\ntook_bucket{app="a",le="1",path="/a {b} \\"c\\""} 3\ntook_sum{app="a"} 2\ntook_count{app="a"} 3\n',
  );
});
