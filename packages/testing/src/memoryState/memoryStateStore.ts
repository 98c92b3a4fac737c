import type { RejectKey, RejectStatus } from "@headwater/contracts";
import type { Fence, FencedResult, StateStore, StateTransaction } from "@headwater/intake/state/stateStore";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import { builtInTables } from "@headwater/records/supplements/builtInTables";
import { supplementKey } from "@headwater/records/unitOfWork/loadedRows";
import { MemoryRanges } from "../memoryRanges.ts";
import { rejectName } from "./memoryEnd.ts";
import { type MemoryFacts, MemoryStateTransaction } from "./memoryStateTransaction.ts";
import { copyTables, emptyTables, type MemoryTables } from "./memoryTables.ts";

interface Partition {
  readonly topic: string;
  readonly partition: number;
}

interface LogRange extends Partition {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** The state and its group's progress in memory: what `state` keeps in Postgres. It passes `stateStoreContract`. */
export class MemoryStateStore implements StateStore {
  tables: MemoryTables = emptyTables();
  readonly facts: MemoryFacts = {
    contactsMax: Number.POSITIVE_INFINITY,
    erased: [],
    erasureSecret: Buffer.alloc(32, 7),
    position: 0,
  };
  readonly #progress = new MemoryRanges("state");
  #turn: Promise<unknown> = Promise.resolve();

  open(at: Partition & { readonly low: number }): Promise<OpenOffset> {
    return this.#progress.open(at);
  }

  keyOf(at: Partition): OffsetKey {
    return this.#progress.keyOf(at);
  }

  held(at: Partition, reason: string | undefined): Promise<void> {
    return this.#progress.held(at, reason);
  }

  verified(at: Partition): Promise<void> {
    return this.#progress.verified(at);
  }

  async refusedPositions({ topic, partition, from, to }: LogRange) {
    const rows = [...this.tables.rejects.values()].filter((row) => row.topic === topic && row.partition === partition);
    return rows.filter(({ logOffset }) => logOffset >= from && logOffset < to);
  }

  async refusalStatuses(keys: readonly RejectKey[]): Promise<(RejectKey & { readonly status: RejectStatus })[]> {
    return keys.map((key) => this.tables.rejects.get(rejectName(key))).filter((row) => row !== undefined);
  }

  define: StateStore["define"] = async (records) => {
    const { state } = this.tables;
    for (const { account, reads } of records) {
      const table = reads.supplement && builtInTables.get(reads.supplement.key);
      if (table === undefined || state.supplements.has(supplementKey(account.number, table.key))) continue;
      const rules = { indexes: [], contactObject: true, autogenerateIDs: false, clearedVersion: undefined };
      state.defineSupplement(account.number, { id: state.supplements.size + 1, key: table.key, ...rules });
    }
  };

  /** Transactions run one after another. */
  transaction<Result>(
    fence: Fence,
    run: (transaction: StateTransaction) => Promise<Result>,
  ): Promise<FencedResult<Result>> {
    const turn = this.#turn.then(() => this.#runFenced(fence, run));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #runFenced<Result>(
    { key, fromOffset }: Fence,
    run: (transaction: StateTransaction) => Promise<Result>,
  ): Promise<FencedResult<Result>> {
    const { nextOffset } = await this.#progress.read(key, 0);
    if (nextOffset !== fromOffset) return { kind: "elsewhere", nextOffset };
    const transaction = new MemoryStateTransaction({ ...copyTables(this.tables), offset: undefined }, this.facts);
    const result = await run(transaction);
    const { offset } = transaction.tables;
    if (offset !== undefined) await this.#progress.move(key, fromOffset, offset);
    this.tables = transaction.tables;
    return { kind: "stored", result };
  }
}
