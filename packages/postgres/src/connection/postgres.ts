import { Socket } from "node:net";
import { type FairGate, type FlowContext, type FlowKey, type Logger, SYSTEM_FLOW } from "@headwater/kernel";
import pg from "pg";
import { type Admission, admitting } from "./admission.ts";
import { toPublicError } from "./failures.ts";
import type { AtCommit, Session, Statement, Transaction, Value } from "./session.ts";
import { createSharedLookups, type Lookup } from "./sharedLookups.ts";
import { valueTypes } from "./types.ts";

/** Shares of the accounts in a pool. Each bound is a part of `poolMax`, so that none of the three takes another's connections. */
export interface PoolShares {
  readonly flows: FlowContext;
  /** Statements and transactions that only read. */
  readonly reads: FairGate;
  readonly writes: FairGate;
  /** Turns of transactions about the same rows. */
  readonly turns: FairGate;
  /** Connections of look-ups by key. */
  readonly lookupConnections: number;
}

export interface PostgresOptions {
  readonly url: string;
  /** Most connections at once. */
  readonly poolMax: number;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  readonly statementTimeoutMs: number;
  /** A transaction that says nothing for so long is ended and its locks are free again, as when a process sleeps. Default 15 s. */
  readonly idleInTransactionTimeoutMs?: number;
  /**
   * Set for sessions that only look rows up by key (the projector): plans are made once, and never scan a table that was empty when they
   * were made and has a million rows now. Default false; `transaction` takes it for one transaction, too.
   */
  readonly keyLookupsOnly?: boolean;
  /** Key of the hashes of erased identifiers, when it is kept outside of Postgres. */
  readonly erasureSecret?: Buffer | undefined;
  /** Default: first come, first served. */
  readonly shares?: PoolShares;
  /** Asked about every new connection, and before each use. */
  readonly admission?: Admission | undefined;
  readonly logger: Logger;
}

export interface TransactionOptions {
  readonly keyLookupsOnly?: boolean;
  /** Names the rows it is about: transactions of one name take turns, so none holds a connection while it waits for another's locks. */
  readonly turnOf?: FlowKey | undefined;
  /** All its statements see one snapshot of the database, and none may write. */
  readonly isSnapshot?: boolean;
  /** All its statements see one snapshot, and they may write: a row that another transaction has changed since is a conflict. */
  readonly isRepeatable?: boolean;
}

export interface Postgres extends Session {
  /** Runs the function between BEGIN and COMMIT; any error rolls back. An error of COMMIT itself leaves open which of both it was. */
  transaction<Result>(
    run: (transaction: Transaction, atCommit: AtCommit) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Rejects when Postgres does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Planning a statement over arrays at each call takes longer than the call: 1 ms and more for a write of one contact. */
const KEY_LOOKUPS = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
] as const;
const BEGIN = "BEGIN";
const BEGIN_REPEATABLE = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const BEGIN_SNAPSHOT = `${BEGIN_REPEATABLE} READ ONLY`;
const LOCAL_KEY_LOOKUPS = KEY_LOOKUPS.map((setting) => `; SET LOCAL ${setting}`).join("");
const ABORTED_TRANSACTION = "25P02";
const CONNECT_TIMEOUT_MS = 5_000;
/** A burst finds the connections of the last one: a new one costs a process and the plans of all statements, 10 ms and more each. */
const IDLE_TIMEOUT_MS = 300_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
/** The server ends a statement first; the client gives up on a server that does not answer at all. */
const ANSWER_GRACE_MS = 2_000;

/** A pool of connections; connects when first asked. Errors as `Session` says. */
export function createPostgres(options: PostgresOptions): Postgres {
  const pool = new pg.Pool(poolConfig(options));
  pool.on("error", (error) => options.logger.warn({ err: error }, "idle Postgres connection lost"));
  // The pool takes its own listener off before `borrow` adds one: an error of the packet that ends the sign-in would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const { erasureSecret, shares, admission } = options;
  const withClient = async <Result>(use: (client: pg.PoolClient) => Promise<Result>) => {
    const refusal = admission?.refusal();
    if (refusal !== undefined) throw refusal;
    return borrow(pool, use);
  };
  const currentFlow = () => shares?.flows.current() ?? SYSTEM_FLOW;
  const inTurn = <Result>(gate: FairGate | undefined, use: (client: pg.PoolClient) => Promise<Result>) =>
    gate === undefined ? withClient(use) : gate.run(currentFlow(), () => withClient(use));
  const over = (send: Send): Session => ({ ...sessionOver(send), erasureSecret });
  const connectionsMax = shares?.lookupConnections ?? options.poolMax;
  const lookUp = createSharedLookups({ withClient, connectionsMax, currentFlow });
  const alone = (config: Lookup) => inTurn(shares?.reads, (client) => client.query(config));
  const session = over((config, isLookup) => (isLookup ? lookUp(config) : alone(config)));
  return {
    ...session,
    transaction: (run, options = {}) => {
      const { turnOf, isSnapshot = false } = options;
      const begin = () =>
        inTurn(isSnapshot ? shares?.reads : shares?.writes, (client) => transact(client, run, { over, options }));
      return shares === undefined || turnOf === undefined ? begin() : shares.turns.run(turnOf, begin);
    },
    ping: async () => void (await session.query({ text: "SELECT 1" })),
    close: () => pool.end(),
  };
}

function poolConfig(options: PostgresOptions): pg.PoolConfig {
  const settings = ["jit=off", "client_connection_check_interval=2000", "timezone=UTC"];
  if (options.keyLookupsOnly === true) settings.push(...KEY_LOOKUPS);
  return {
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    stream: oneWriteATurn,
    types: valueTypes,
    ...admitting(options.admission),
    options: settings.map((setting) => `-c ${setting}`).join(" "),
  };
}

function beginOf({ keyLookupsOnly = false, isSnapshot = false, isRepeatable = false }: TransactionOptions): string {
  const begin = isRepeatable ? BEGIN_REPEATABLE : BEGIN;
  return `${isSnapshot ? BEGIN_SNAPSHOT : begin}${keyLookupsOnly ? LOCAL_KEY_LOOKUPS : ""}`;
}

interface Transacting {
  readonly over: (send: Send) => Session;
  readonly options: TransactionOptions;
}

function transact<Result>(
  client: pg.PoolClient,
  run: (transaction: Transaction, atCommit: AtCommit) => Promise<Result>,
  { over, options }: Transacting,
): Promise<Result> {
  const failures: unknown[] = [];
  const send = (config: Lookup) => sendNoting(client, config, failures);
  const transaction = { inTransaction: true as const, ...over(send) };
  const last: (() => Promise<unknown>)[] = [];
  const atCommit: AtCommit = (statement, values) => void last.push(() => transaction.execute(statement, values));
  const reported = (error: unknown) => (isAborted(error) ? (failures[0] ?? error) : error);
  return runTransaction(client, () => run(transaction, atCommit), { begin: beginOf(options), last, reported });
}

/** A connection that broke, or whose transaction did not end, is thrown away. */
async function borrow<Result>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw toPublicError(error);
  }
  let broken: Error | undefined;
  // Without a listener a connection lost between two statements would end the process; the next statement reports it.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    return await use(client);
  } catch (error) {
    throw toPublicError(error);
  } finally {
    client.removeListener("error", onError);
    client.release(broken ?? client.getTransactionStatus() !== "I");
  }
}

/**
 * Statements are sent together: the one that failed aborts those behind it, and whoever awaits several may hear of one of those
 * first. They say nothing of why (a full disk, a deadlock), so the first failure is kept to be reported in their place.
 */
async function sendNoting(client: pg.PoolClient, config: Lookup, failures: unknown[]): Promise<pg.QueryResult> {
  try {
    return await client.query(config);
  } catch (error) {
    failures.push(error);
    throw error;
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === ABORTED_TRANSACTION;
}

interface TransactionFrame {
  readonly begin: string;
  /** Statements that go out with COMMIT. */
  readonly last: readonly (() => Promise<unknown>)[];
  /** The error to report in the place of one that `run` threw. */
  readonly reported: (error: unknown) => unknown;
}

async function runTransaction<Result>(
  client: pg.PoolClient,
  run: () => Promise<Result>,
  { begin, last, reported }: TransactionFrame,
): Promise<Result> {
  const begun = client.query(begin);
  // It goes out with the first statements; what it rejects with is thrown below.
  begun.catch(() => undefined);
  let result: Result;
  try {
    result = await run();
    await begun;
  } catch (error) {
    await rollBack(client);
    throw reported(error);
  }
  const sent = last.map((send) => send());
  const [committed, ...stored] = await Promise.allSettled([client.query("COMMIT"), ...sent]);
  // Behind a statement that failed COMMIT rolls back, and says so.
  for (const done of stored) if (done.status === "rejected") throw reported(done.reason);
  if (committed.status === "rejected") throw committed.reason;
  const { command } = committed.value;
  if (command !== "COMMIT")
    throw new Error("a statement of the transaction failed and its error was not awaited: rolled back");
  return result;
}

/** The first error is the one to report; a connection that does not roll back is thrown away by `borrow`, which rolls back as well. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  await Promise.allSettled([client.query("ROLLBACK")]);
}

type Send = (config: Lookup, isLookup: boolean) => Promise<pg.QueryResult>;

function sessionOver(send: Send): Session {
  const run = ({ name, text, isLookup }: Statement, values: readonly Value[] = []) =>
    send({ text, values: [...values], ...(name !== undefined && { name }) }, isLookup === true);
  return {
    query: async (statement, values) => (await run(statement, values)).rows,
    execute: async (statement, values) => (await run(statement, values)).rowCount ?? 0,
  };
}

/**
 * A socket that sends what is written in one turn of the event loop at once. The driver writes each statement by itself; a
 * transaction whose statements go out together then costs one call of the system and wakes the server once, not once for each.
 *
 * Transactions of six statements, four of them in one turn, took 7 to 9 % less time and 8 to 10 % less processor time than with a plain
 * socket (medians of 100 alternating rounds, one and eight at a time, `synchronous_commit = off`). Behind a slow disk's commits the
 * difference in time does not show.
 */
export function oneWriteATurn(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let isHeld = false;
  const send = () => {
    isHeld = false;
    socket.uncork();
  };
  const held = (...input: Parameters<typeof write>) => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      process.nextTick(send);
    }
    return write(...input);
  };
  // Node sets it back when it connects, and to another when the other end has closed.
  const property = { value: held, writable: true, configurable: true };
  socket.once("connect", () => Object.defineProperty(socket, "write", property));
  return socket;
}
