import type { Postgres } from "@headwater/postgres/connection/postgres";

/** Makes the stores say one of two things, in one transaction. */
export type Writing = () => Promise<unknown>;

const READS = 60;
/** Reads after which the search for a state between two writes ends. */
const READS_MAX = 20_000;

export interface Seen {
  /** The answers of the two states, while nothing is written. */
  readonly atRest: ReadonlySet<string>;
  /** Every answer that was given while one state was written after the other, as fast as it goes. */
  readonly between: ReadonlySet<string>;
}

/** An answer of one snapshot is that of one of the states, whenever it is asked for. Leaves the first of them. */
export async function answersBetween(states: readonly Writing[], read: () => Promise<unknown>): Promise<Seen> {
  const atRest = new Set<string>();
  for (const write of states) {
    await write();
    atRest.add(JSON.stringify(await read()));
  }
  const between = new Set<string>();
  let isRead = false;
  const writing = async () => {
    while (!isRead) for (const write of states) await write();
  };
  const reading = async () => {
    for (let n = 0; n < READS || (between.size < atRest.size && n < READS_MAX); n += 1) {
      between.add(JSON.stringify(await read()));
    }
  };
  const whenRead = reading().finally(() => {
    isRead = true;
  });
  await Promise.all([writing(), whenRead]);
  await states[0]?.();
  return { atRest, between };
}

/** @param texts statements without parameters. */
export function statements(postgres: Postgres, ...texts: readonly string[]): Writing {
  return () =>
    postgres.transaction(async (transaction) => {
      for (const text of texts) await transaction.execute({ text });
    });
}
