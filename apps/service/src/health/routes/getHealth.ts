import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Answer, authenticationFailed, definePublicRoute, keepFor, type Route, refusal } from "@headwater/http";
import { type Clock, HeadwaterError } from "@headwater/kernel";
import { z } from "zod";
import type { ServicePorts } from "../../ports.ts";

const query = z.strictObject(afterQuery);

const healthAnswer = z.strictObject({ status: z.literal("ok") });

/** Anybody may ask, and the stores are asked for all of them once in so long. */
const CACHED_MS = 1_000;
const TIMEOUT_MS = 3_000;

interface Stores {
  readonly postgres: { ping(): Promise<void> };
  readonly clickHouse: { ping(): Promise<void> };
}

/** The service lives and reaches its stores, as they were found within the last second. Throws 503 when a store is away or went back. */
export function createHealth({ clock, ...stores }: Stores & { readonly clock: Clock }): () => Promise<Answer> {
  return keepFor({ read: () => health(stores), keptMs: CACHED_MS, timeoutMs: TIMEOUT_MS, clock });
}

async function health({ postgres, clickHouse }: Stores): Promise<Answer> {
  await Promise.all([reach("The state store", postgres), reach("The analytical store", clickHouse)]);
  return { status: 200, body: { status: "ok" } };
}

async function reach(name: string, store: { ping(): Promise<void> }): Promise<void> {
  try {
    await store.ping();
  } catch (cause) {
    if (cause instanceof HeadwaterError && cause.code === "STORE_WENT_BACK") throw cause;
    throw refusal("SERVICE_UNAVAILABLE", `${name} is unavailable.`, { cause });
  }
}

export function getHealth(ports: AfterPorts & Pick<ServicePorts, "clickHouse" | "postgres">): Route {
  const { postgres, clickHouse, clock } = ports;
  const health = createHealth({ postgres, clickHouse, clock });
  return definePublicRoute({
    method: "GET",
    path: "/v2/health",
    operationId: "getHealth",
    summary: "Checks that the service is up. An API key, if sent, is verified.",
    description: "`after` needs the key of the account whose receipt it is.",
    tags: ["service"],
    answers: { 200: { description: "The service is up.", schema: healthAnswer, example: { status: "ok" } } },
    optionalAuth: "basic",
    query,
    handler: async ({ query: { after }, sender: caller, signal }) => {
      if (after !== undefined) {
        if (caller === undefined) throw authenticationFailed("basic");
        await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      }
      return health();
    },
  });
}
