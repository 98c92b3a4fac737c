/** Where the records of one request went in one partition. Offsets and places are the first and the last of them. */
export interface Placement {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: number;
  readonly firstPlace: number;
  readonly lastOffset: number;
  readonly lastPlace: number;
  readonly count: number;
}

/** One request that waits for the messages its records are in. */
export interface Ticket {
  /** How many messages hold records of it and are not answered yet. */
  messages: number;
  /** A message of it was written at `offset`, with `count` records from `firstPlace` on. In the order of the partition. */
  written(topic: string, partition: number, offset: number, firstPlace: number, count: number): void;
  failed(error: unknown): void;
}

/** A ticket that answers placements, one per partition. `settle` is called once, when all of its messages are written. */
export function createTicket(
  settle: (placements: readonly Placement[]) => void,
  fail: (error: unknown) => void,
): Ticket {
  const placements = new Map<string, Placement>();
  return {
    messages: 0,
    written(topic, partition, offset, firstPlace, count) {
      const id = `${topic}\n${partition}`;
      const before = placements.get(id);
      const lastPlace = firstPlace + count - 1;
      placements.set(id, {
        topic,
        partition,
        firstOffset: before?.firstOffset ?? offset,
        firstPlace: before?.firstPlace ?? firstPlace,
        lastOffset: offset,
        lastPlace,
        count: (before?.count ?? 0) + count,
      });
      this.messages -= 1;
      if (this.messages === 0) settle([...placements.values()]);
    },
    failed: fail,
  };
}
