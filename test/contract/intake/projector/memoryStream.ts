import { createAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, accountSettings } from "@headwater/contracts";
import { createAccountingHandler } from "@headwater/intake/accounting/accountingHandler";
import { createStoredCounts } from "@headwater/intake/accounting/logCounts";
import { createStoredParked } from "@headwater/intake/parked/parkedRecords";
import { redriveOnce } from "@headwater/intake/parked/redriver";
import { stepRedrive } from "@headwater/intake/redrive/redriveStep";
import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import { createStateHandler } from "@headwater/intake/state/stateHandler";
import type { StateStore } from "@headwater/intake/state/stateStore";
import { createMetrics, type ManualClock, manualClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { BatchContext, Codec, LogFrame, RawMessage, StreamHandler } from "@headwater/topics";
import { type Fresh, freshPostgres, logger } from "../../stores/fresh.ts";

const TOPIC = "intake.records";
const PARTITIONS = 8;
/** Always the same, for ids of contacts come of it: a seed replays who survives whom. Nobody else is in the database. */
const ACCOUNT_ID = "5eed00000000000000000001";
/** Beginning of the log. */
export const AT = Date.UTC(2026, 0, 1);

/** The projector's own handlers over a Postgres of their own; the log is in memory, and nothing runs until it is started. */
export interface MemoryStream {
  readonly postgres: Postgres;
  readonly clock: ManualClock;
  readonly account: Account;
  readonly log: ReadonlyMap<number, readonly LogFrame[]>;
  /** Puts one frame of an operation's records at the end of a partition. */
  append(operation: string, records: readonly object[], partition?: number): LogFrame;
  /** New processes take all partitions over and apply what is there. */
  apply(handler?: StreamHandler): Promise<void>;
  /** A new process counts the log from where the last one stopped. */
  count(): Promise<void>;
  /** One step of the redriver. @param publish takes the place of the log, to fail. */
  step(publish?: Publish): Promise<boolean>;
  /** Steps until there is nothing to do. */
  redriveAll(): Promise<void>;
  /** Writes the parked records that are due. @returns how many there were. */
  redriveParked(publish?: Publish): Promise<number>;
  write: Publish;
  drop(): Promise<void>;
}

export type Publish = (
  messages: readonly RawMessage[],
) => Promise<{ readonly topic: string; readonly partition: number; readonly offset: number }[]>;

/**
 * @param fresh a database to work in, instead of one of its own.
 * @param partners settings of the account.
 */
export async function startMemoryStream(
  fresh?: Pick<Fresh<Postgres>, "store" | "drop">,
  partners: object = {},
): Promise<MemoryStream> {
  const { store: postgres, drop } = fresh ?? (await freshPostgres());
  const limits = { readPerSecond: 100_000, writePerSecond: 100_000, audienceCountPerSecond: 100_000 };
  const settings = accountSettings.parse({ limits, partners });
  const account = await createAccount(postgres, { id: ACCOUNT_ID, name: "stream", settings });
  const clock = manualClock(AT);
  const log = new Map<number, LogFrame[]>();
  const put = (partition: number, value: Buffer, headers: Readonly<Record<string, string>> = {}) => {
    const frames = log.get(partition) ?? [];
    log.set(partition, frames);
    const frame = { offset: frames.length, timeMs: clock.nowMs() + frames.length, key: undefined, value, headers };
    frames.push(frame);
    return frame;
  };
  const write: Publish = async (messages) =>
    messages.map(({ topic, partition, value, headers }) => {
      return { topic, partition, offset: put(partition, value, headers).offset };
    });
  const redriving = (publish: Publish) => {
    const parked = createStoredParked(postgres);
    return { postgres, parked, producer: { publish }, codec, account: async () => account, clock, logger };
  };
  const step = (publish: Publish = write) => stepRedrive(redriving(publish));
  return {
    postgres,
    clock,
    account,
    log,
    write,
    append: (operation, records, partition = 0) => put(partition, frameOf(operation, account.id, records)),
    apply: async (handler = stateOf(postgres, account, clock)) => {
      for (let partition = 0; partition < PARTITIONS; partition++) await takeOver(handler, partition, log);
    },
    count: async () => {
      const accounts = { byId: async (id: string) => (id === account.id ? account : undefined) };
      const handler = createAccountingHandler({ counts: createStoredCounts(postgres), codec, accounts, clock });
      for (let partition = 0; partition < PARTITIONS; partition++) await takeOver(handler, partition, log);
    },
    step,
    async redriveAll() {
      while (await step());
    },
    redriveParked: (publish = write) => redriveOnce(redriving(publish)),
    drop,
  };
}

export async function takeOver(
  handler: StreamHandler,
  partition: number,
  log: ReadonlyMap<number, readonly LogFrame[]>,
) {
  const frames = log.get(partition) ?? [];
  const at = { topic: TOPIC, partition };
  let { fromOffset } = await handler.start({ ...at, low: 0, high: frames.length });
  while (fromOffset < frames.length) {
    const batch = { ...at, frames: frames.slice(Math.max(0, fromOffset)), highWatermark: frames.length };
    const verdict = await handler.batch(batch, context);
    if (verdict.kind === "wait") throw new Error("nothing is waited for here");
    fromOffset = verdict.offset;
  }
}

export const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};

/**
 * @param parkedForMs times that a record of an unknown contact waits before each further attempt.
 * @param state in the place of the projector's own.
 */
export function stateOf(
  postgres: Postgres,
  account: Account,
  clock: ManualClock,
  parkedForMs: readonly number[] = [5_000],
  state: StateStore = createPostgresStateStore(postgres, clock),
): StreamHandler {
  const metrics = createMetrics({ processMetrics: false });
  const outcomes = metrics.counter({ name: "outcomes", help: "by outcome", labels: ["operation", "outcome"] });
  const accounts = {
    byId: async (id: string) => (id === account.id ? account : undefined),
    catchUp: async () => undefined,
  };
  return createStateHandler({
    state,
    codec,
    accounts,
    logger,
    clock,
    parkedForMs,
    outcomes,
    onUncompared: () => undefined,
    onStored: () => undefined,
  });
}

export function frameOf(operation: string, account: string, records: readonly object[]): Buffer {
  return Buffer.from(JSON.stringify({ subject: `intake.${operation}`, value: { account, records } }));
}

/** Values say their subject themselves. */
export const codec: Pick<Codec, "decode" | "frame" | "peekSubject"> = {
  peekSubject: () => undefined,
  frame: (subject, account, texts) =>
    Buffer.from(`{"subject":"${subject}","value":{"account":"${account}","records":[${texts}]}}`),
  decode(value) {
    const parsed: { subject: string; value: unknown } = JSON.parse(value.toString("utf8"));
    if (parsed.subject === "") return { kind: "undecodable", reason: "nobody knows it" };
    return { kind: "decoded", ...parsed };
  },
};
