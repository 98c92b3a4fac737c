import { frameSchema, operations, subjectOf } from "@headwater/operations";

/** The registry's schema of every subject the ingress writes. */
export function frameSchemas() {
  return Object.fromEntries(operations.map((operation) => [subjectOf(operation), frameSchema(operation)]));
}
