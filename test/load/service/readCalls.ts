import type { App } from "../processes/app.ts";
import { SUPPLEMENT } from "../records/items.ts";
import { NUMBER_POSITION } from "../records/numberedCalls.ts";
import type { World } from "../world/world.ts";
import { callService } from "./callService.ts";

interface ReadCall {
  readonly name: string;
  /** Path of the nth one. */
  readonly path: string;
  /** Route in Fastify's form. */
  readonly route: string;
}

/** One thing each, found by its key. */
export const readCalls: readonly ReadCall[] = [
  { name: "contact", path: `/v2/contacts/ann.${NUMBER_POSITION}@example.com`, route: "/v2/contacts/:key" },
  { name: "order", path: `/v2/orders/order-${NUMBER_POSITION}`, route: "/v2/orders/:id" },
  {
    name: "supplement record",
    path: `/v2/supplements/${SUPPLEMENT}/records/car-${NUMBER_POSITION}`,
    route: "/v2/supplements/:key/records/:id",
  },
];

/** One answer of the service to each, for the server that needs no database. */
export async function readAnswers(world: World, { port }: Pick<App, "port">) {
  const first = "1".padStart(NUMBER_POSITION.length, "0");
  return Promise.all(
    readCalls.map(async ({ path, route }) => ({
      path: route,
      body: await callService(world, { port, path: path.replace(NUMBER_POSITION, first) }),
    })),
  );
}
