import type { Metrics } from "@headwater/kernel";
import { operations } from "../operations/registry.ts";

const operationNames = operations.map(({ name }) => name);

export interface IntakeCounts {
  items(operation: string, accepted: number, rejected: number): void;
  records(operation: string, count: number): void;
  bytes(operation: string, count: number): void;
}

export function createIntakeCounts(metrics: Metrics): IntakeCounts {
  const items = metrics.counter({
    name: "headwater_ingress_items_total",
    help: "Items validated at intake.",
    labels: ["operation", "verdict"],
    values: { operation: operationNames, verdict: ["accepted", "rejected"] },
  });
  const records = metrics.counter({
    name: "headwater_ingress_records_total",
    help: "Records acknowledged by Kafka.",
    labels: ["operation"],
    values: { operation: operationNames },
  });
  const bytes = metrics.counter({
    name: "headwater_ingress_body_bytes_total",
    help: "Request body bytes, after decompression.",
    labels: ["operation"],
    values: { operation: operationNames },
  });
  return {
    items(operation, accepted, rejected) {
      if (accepted > 0) items.labels({ operation, verdict: "accepted" }).inc(accepted);
      if (rejected > 0) items.labels({ operation, verdict: "rejected" }).inc(rejected);
    },
    records: (operation, count) => records.labels({ operation }).inc(count),
    bytes: (operation, count) => bytes.labels({ operation }).inc(count),
  };
}
