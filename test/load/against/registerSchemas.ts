import { startApp } from "../processes/app.ts";
import type { Bench } from "../world/services.ts";
import { withWorld } from "../world/world.ts";

/**
 * Lets a projector of the bench's checkout register its schemas. The registry takes them as they grew: it would refuse those of an older
 * commit behind those of a newer one, and knows them again when they came first.
 */
export async function registerSchemas(bench: Bench): Promise<void> {
  await withWorld(bench, "schemas", async (world) => {
    const projector = await startApp(bench, "projector", world.env);
    await projector.stop();
  });
}
