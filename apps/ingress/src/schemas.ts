import { frameSchema, subjectOf } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";

/** The registry's schema of every subject the ingress writes. */
export function frameSchemas() {
  return Object.fromEntries(loggedOperations.map((operation) => [subjectOf(operation), frameSchema(operation)]));
}
