import { pin, usableCores } from "../cores/affinity.ts";
import { ingressesOnCores } from "../cores/ingressesOnCores.ts";
import { projectorsOnCores } from "../cores/projectorsOnCores.ts";
import { findStores } from "../measure/storeUsage.ts";
import type { Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";

/** Measures one core and more of them, next to a model by the costs of a record on one. */
export async function cores(bench: Bench): Promise<Row[]> {
  const usable = usableCores();
  try {
    return [...(await ingressesOnCores(bench)), ...(await projectorsOnCores(bench))];
  } finally {
    await pin(Object.values(findStores(bench)), usable);
  }
}
