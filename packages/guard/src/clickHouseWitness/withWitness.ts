import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { ClickHouseWitness } from "./clickHouseWitness.ts";

type Intact = Pick<ClickHouseWitness, "expectIntact">;

/**
 * Returns the client with answers that count: each is checked after it was read, so that none of a store that went back is passed on. An
 * error is checked, too, because tables that are gone would pass for a defect.
 */
export function withWitness(clickhouse: ClickHouse, witness: Intact): ClickHouse {
  return {
    ...clickhouse,
    query: async <Row>(...asked: Parameters<ClickHouse["query"]>) => {
      const rows = await orLoss(clickhouse.query<Row>(...asked), witness);
      await witness.expectIntact();
      return rows;
    },
    command: (...asked) => orLoss(clickhouse.command(...asked), witness),
    ping: async () => {
      await clickhouse.ping();
      await witness.expectIntact();
    },
    insertBlock: (block) => orLoss(clickhouse.insertBlock(block), witness),
  };
}

/** Returns the client for long statements with the same promise: a stream that ends well was read from an intact store. */
export function bulkWithWitness(bulk: ClickHouseBulk, witness: Intact): ClickHouseBulk {
  async function* read(statement: Parameters<ClickHouseBulk["read"]>[0]) {
    try {
      yield* bulk.read(statement);
    } catch (error) {
      statement.signal.throwIfAborted();
      await witness.expectIntact();
      throw error;
    }
    await witness.expectIntact();
  }
  return {
    ...bulk,
    read,
    run: async (statement) => {
      await orLoss(bulk.run(statement), witness);
      await witness.expectIntact();
    },
  };
}

async function orLoss<Result>(work: Promise<Result>, witness: Intact): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await witness.expectIntact();
    throw error;
  }
}
