import type pg from "pg";
import { toPublicError } from "./failures.ts";
import type { Value } from "./session.ts";

/** What one connection answers in turn is not to wait long for what was asked before it. */
const LOOKUPS_MAX = 8;

export type Lookup = pg.QueryConfig<Value[]>;
type Answered = PromiseWithResolvers<pg.QueryResult>;

interface Batch {
  readonly lookups: { readonly config: Lookup; readonly answered: Answered }[];
}

/** Runs what it is given on one connection and gives it back afterwards. Errors are those a caller may see. */
export type WithClient = <Result>(use: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

/**
 * Look-ups by key that are asked in one turn of the event loop share a connection: they go out in one write, and most of their
 * answers come in one read. Under load the calls of the system cost more than the rows. One that fails fails alone; a connection that
 * is lost takes all of them with it.
 */
export function createSharedLookups(withClient: WithClient): (config: Lookup) => Promise<pg.QueryResult> {
  let open: Batch | undefined;

  function send(batch: Batch): void {
    if (open === batch) open = undefined;
    const { lookups } = batch;
    withClient((client) => Promise.allSettled(lookups.map((lookup) => answer(client, lookup)))).catch(
      (error: unknown) => {
        for (const { answered } of lookups) answered.reject(error);
      },
    );
  }

  return (config) => {
    const answered: Answered = Promise.withResolvers();
    if (open === undefined || open.lookups.length >= LOOKUPS_MAX) {
      const batch: Batch = { lookups: [] };
      open = batch;
      // When all that has arrived in this turn is read.
      setImmediate(() => send(batch));
    }
    open.lookups.push({ config, answered });
    return answered.promise;
  };
}

async function answer(client: pg.PoolClient, { config, answered }: Batch["lookups"][number]): Promise<void> {
  try {
    answered.resolve(await client.query(config));
  } catch (error) {
    answered.reject(toPublicError(error));
  }
}
