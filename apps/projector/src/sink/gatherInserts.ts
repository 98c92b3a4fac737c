import { classifyFailure } from "@headwater/kernel";
import type { Block } from "@headwater/stores/clickhouse";

/** Takes blocks: ClickHouse itself, or a gatherer before it. */
export interface BlockInserter {
  insertBlock(block: Block): Promise<void>;
}

/** Bytes that one insert takes at most; a single block may be larger. */
const GATHERED_BYTES_MAX = 16 * 1024 * 1024;

interface Waiting {
  readonly block: Block & { readonly body: Buffer };
  readonly settled: PromiseWithResolvers<void>;
}

/**
 * Joins the blocks that several partitions have for one table into one insert: each insert makes a part, and merging many small parts is
 * what costs ClickHouse most. While one insert is under way, the next is gathered. Only for rows that may be written twice, because the
 * tokens of the blocks are lost: another owner's retry would hold other rows than the insert it repeats.
 */
export function gatherInserts(inserter: BlockInserter, newToken: () => string): BlockInserter {
  const queues = new Map<string, Waiting[]>();

  async function work(table: string, queue: Waiting[]): Promise<void> {
    // Partitions that were woken together hand over together.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await insert(queue.splice(0, countOf(queue)));
    // In the same turn as the last look at the queue: what comes from now on starts another.
    queues.delete(table);
  }

  async function insert(gathered: readonly Waiting[]): Promise<void> {
    const [first] = gathered;
    if (first === undefined) return;
    const body = Buffer.concat(gathered.map(({ block }) => block.body));
    try {
      await inserter.insertBlock({ ...first.block, body, token: newToken() });
      for (const { settled } of gathered) settled.resolve();
    } catch (error) {
      if (gathered.length > 1 && classifyFailure(error) === "poison") await insertApart(gathered);
      else for (const { settled } of gathered) settled.reject(error);
    }
  }

  /** A block that ClickHouse refuses fails its own partition, and no other that shared its insert. */
  async function insertApart(gathered: readonly Waiting[]): Promise<void> {
    for (const one of gathered) await insert([one]);
  }

  return {
    insertBlock(block) {
      const { body } = block;
      if (typeof body === "string") throw new Error("only RowBinary bodies can be joined");
      const waiting: Waiting = { block: { ...block, body }, settled: Promise.withResolvers() };
      const queue = queues.get(block.table);
      if (queue !== undefined) {
        queue.push(waiting);
      } else {
        const started = [waiting];
        queues.set(block.table, started);
        void work(block.table, started);
      }
      return waiting.settled.promise;
    },
  };
}

/** Returns how many blocks of the queue fit into one insert. */
function countOf(queue: readonly Waiting[]): number {
  let bytes = 0;
  const end = queue.findIndex(({ block }) => {
    bytes += block.body.length;
    return bytes > GATHERED_BYTES_MAX;
  });
  return end === -1 ? queue.length : Math.max(1, end);
}
