import { frameSchema, loggedOperations, subjectOf } from "@headwater/operations";

/** The registry's schema of every subject the ingress writes. */
export function frameSchemas() {
  return Object.fromEntries(loggedOperations.map((operation) => [subjectOf(operation), frameSchema(operation)]));
}
