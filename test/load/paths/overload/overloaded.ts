import type { App } from "../../processes/app.ts";
import type { Worker } from "../../processes/worker.ts";
import { INTAKE_TOPIC } from "../../records/fillTopic.ts";
import { parseFrame, readTopic } from "../../records/readTopic.ts";
import type { HttpLoadResult } from "../../tasks/httpLoadTask.ts";
import type { Bench } from "../../world/services.ts";
import type { World } from "../../world/world.ts";

export const BATCH = 100;
const BODIES = 400;
export const ACCEPTED = 202;
/** Answers that an overloaded ingress may give instead. */
export const REFUSALS: readonly number[] = [429, 503];

/** An ingress, and a load that may be too much for it. */
export interface Overloaded {
  readonly bench: Bench;
  readonly world: World;
  readonly app: App;
  readonly load: Worker;
}

/** Batches of contacts. */
export function taskOf({ apiKey }: World) {
  return { apiKey, series: { operation: "upsertContact", batch: BATCH, bodies: BODIES, firstContact: 0 } } as const;
}

/** @throws Error when an accepted record is missing or doubled, or an answer was none that overload may have. */
export async function refuseLosses({ services }: Bench, results: readonly HttpLoadResult[]): Promise<void> {
  for (const { statuses, withoutRetryAfter, broken } of results) {
    const others = [...statuses.keys()].filter((status) => status !== ACCEPTED && !REFUSALS.includes(status));
    if (others.length === 0 && withoutRetryAfter === 0 && broken === 0) continue;
    throw new Error(`overload: ${JSON.stringify({ statuses: [...statuses], withoutRetryAfter, broken })}`);
  }
  const logged = await countByRequest(services.kafkaBrokers);
  const wrong = results
    .flatMap(({ requestIds }) => requestIds)
    .filter((id) => {
      const positions = logged.get(id);
      return positions?.some((count) => count !== 1) ?? true;
    });
  if (wrong.length > 0) throw new Error(`${wrong.length} accepted requests are not in the log once, as ${wrong[0]}`);
}

/** Counts how often each record of every request is in the log, by its index. */
async function countByRequest(brokers: string): Promise<Map<string, Uint8Array>> {
  const logged = new Map<string, Uint8Array>();
  await readTopic(brokers, INTAKE_TOPIC, (messages) => {
    for (const { id } of messages.flatMap(({ value }) => parseFrame(value).records)) {
      const [request = "", index = ""] = id.split(":");
      const places = logged.get(request) ?? new Uint8Array(BATCH);
      places[Number(index)] = (places[Number(index)] ?? 0) + 1;
      logged.set(request, places);
    }
    return true;
  });
  return logged;
}
