import { createFairQueue, type FlowKey, overShare } from "@headwater/kernel";
import type pg from "pg";
import { toPublicError } from "./failures.ts";
import type { Value } from "./session.ts";

/** Limit of the look-ups that one connection answers in turn: the last of them waits for all before it. */
const LOOKUPS_MAX = 8;
/** Look-ups of one account that may wait for a connection. */
const WAITING_MAX = 512;

export type Lookup = pg.QueryConfig<Value[]>;

interface Asked {
  readonly config: Lookup;
  readonly answered: PromiseWithResolvers<pg.QueryResult>;
}

/** Runs what it is given on one connection and gives it back afterwards. Errors are those a caller may see. */
export type WithClient = <Result>(use: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

export interface SharedLookupsOptions {
  readonly withClient: WithClient;
  /** Connections that look-ups take at once. */
  readonly connectionsMax: number;
  /** Returns the flow of the look-up that is asked now. */
  readonly currentFlow: () => FlowKey;
}

/**
 * Look-ups by key that are asked in one turn of the event loop share a connection: they go out in one write, and most of their
 * answers come in one read. Under load the calls of the system cost more than the rows. One that fails fails alone; a connection that
 * is lost takes all of them with it. Those that wait for a connection are served account by account in turn.
 */
export function createSharedLookups(options: SharedLookupsOptions): (config: Lookup) => Promise<pg.QueryResult> {
  const { withClient, connectionsMax, currentFlow } = options;
  const queue = createFairQueue<Asked>({ quantum: 1, costOf: () => 1 });
  let connections = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queue.size() === 0 || connections >= connectionsMax) return;
    isScheduled = true;
    // When all that has arrived in this turn is read.
    setImmediate(() => {
      isScheduled = false;
      while (queue.size() > 0 && connections < connectionsMax) void send(nextOf(queue));
    });
  }

  async function send(lookups: readonly Asked[]): Promise<void> {
    connections += 1;
    try {
      await withClient((client) => Promise.all(lookups.map((lookup) => answer(client, lookup))));
    } catch (error) {
      for (const { answered } of lookups) answered.reject(error);
    }
    connections -= 1;
    schedule();
  }

  return (config) => {
    const flow = currentFlow();
    if (queue.size(flow) >= WAITING_MAX) return Promise.reject(overShare("reads"));
    const answered: Asked["answered"] = Promise.withResolvers();
    queue.add(flow, { config, answered });
    schedule();
    return answered.promise;
  };
}

function nextOf(queue: { next(): Asked | undefined }): Asked[] {
  const lookups: Asked[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    lookups.push(next);
    if (lookups.length >= LOOKUPS_MAX) break;
  }
  return lookups;
}

/** Never rejects: one that fails fails alone. */
async function answer(client: pg.PoolClient, { config, answered }: Asked): Promise<void> {
  try {
    answered.resolve(await client.query(config));
  } catch (error) {
    answered.reject(toPublicError(error));
  }
}
