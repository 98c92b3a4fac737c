import { setTimeout as sleep } from "node:timers/promises";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { HeadwaterError, type Logger } from "@headwater/kernel";
import { readIncarnation, storeOfIncarnation } from "@headwater/postgres/connection/incarnation";
import type { Session } from "@headwater/postgres/connection/session";
import type { LogWitness, Loss } from "./evidence.ts";
import { sentenceOf } from "./findLosses.ts";
import { lossesSeenByClickHouse, lossesSeenByLog } from "./readEvidence.ts";
import { identityLosses } from "./storeIdentity.ts";

export type Witness = "kafka" | "clickhouse";

export interface StoreGuardOptions {
  readonly log: LogWitness;
  /** Absent in processes that have no business with ClickHouse: Kafka alone is asked then. */
  readonly clickhouse?: ClickHouse;
  /** Postgres is not used before these have been heard; the others are heard as soon as they answer. */
  readonly needed: readonly Witness[];
  readonly logger: Logger;
  /** Called once, with the error that every further use of Postgres gets. */
  readonly onLost: (error: HeadwaterError) => void;
  readonly checks?: Readonly<Record<Witness | "identity", (session: Session) => Promise<readonly Loss[]>>>;
}

/** Stands before Postgres: a server that lost transactions which others have seen is not used. */
export interface StoreGuard {
  /**
   * Checks each new connection.
   * @throws HeadwaterError: not retriable when Postgres has lost something, retriable when it cannot be known yet.
   */
  admit(session: Session): Promise<void>;
  /** Returns why Postgres must not be used, while there is a reason. */
  refusal(): HeadwaterError | undefined;
  /** Returns the cluster and database in use, as `<system identifier>/<object id>`; undefined before one was admitted. */
  storeId(): string | undefined;
  /** @throws a retriable HeadwaterError until the witness has been heard about the server in use. */
  expectHeard(witness: Witness): void;
  /**
   * Asks witnesses that were away when the server was admitted; a server that was refused is checked again, and used again once
   * it was recovered. Does nothing while all is known and well.
   */
  lookAgain(session: Session): Promise<void>;
}

const LOSSES_LOGGED = 20;
const FIRST_CHECK_MS = 5_000;

export function createStoreGuard(options: StoreGuardOptions): StoreGuard {
  return new WitnessedStoreGuard(options);
}

class WitnessedStoreGuard implements StoreGuard {
  readonly #witnesses: readonly Witness[];
  readonly #needed: readonly Witness[];
  readonly #logger: Logger;
  readonly #onLost: StoreGuardOptions["onLost"];
  readonly #checks: NonNullable<StoreGuardOptions["checks"]>;
  readonly #heard = new Set<Witness>();
  #admitted: string | undefined;
  #lost: HeadwaterError | undefined;
  /** Ends when the look that is under way has; the connection that asked for it gets its error. */
  #hearing: Promise<unknown> = Promise.resolve();

  constructor(options: StoreGuardOptions) {
    const { needed, logger } = options;
    const { clickhouse } = options;
    this.#witnesses = clickhouse === undefined && options.checks === undefined ? ["kafka"] : ["kafka", "clickhouse"];
    this.#needed = needed;
    this.#logger = logger;
    this.#onLost = options.onLost;
    this.#checks = options.checks ?? {
      identity: identityLosses,
      kafka: (session: Session) => lossesSeenByLog(session, options.log),
      clickhouse: async (session: Session) =>
        clickhouse === undefined ? [] : lossesSeenByClickHouse(session, clickhouse),
    };
  }

  async admit(session: Session): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    const incarnation = await readIncarnation(session);
    if (incarnation !== this.#admitted) await this.#queue(session, incarnation);
  }

  refusal(): HeadwaterError | undefined {
    return this.#lost;
  }

  storeId(): string | undefined {
    return this.#admitted === undefined ? undefined : storeOfIncarnation(this.#admitted);
  }

  expectHeard(witness: Witness): void {
    if (!this.#heard.has(witness)) throw notHeard(witness);
  }

  async lookAgain(session: Session): Promise<void> {
    if (this.#lost !== undefined) return this.#lookAtRefused(session);
    const of = this.#admitted;
    if (of === undefined) return;
    // A process without a call to answer learns of another server, too.
    const incarnation = await readIncarnation(session);
    if (incarnation !== of) return this.#queue(session, incarnation);
    for (const witness of this.#witnesses.filter((one) => !this.#heard.has(one))) {
      const losses = await this.#ask(session, witness);
      if (losses === undefined || of !== this.#admitted) return;
      if (losses.length > 0) return void this.#lose(losses);
      this.#heard.add(witness);
    }
  }

  async #hear(session: Session, incarnation: string): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    this.#heard.clear();
    const losses = await this.#checks.identity(session);
    if (losses.length > 0) throw this.#lose(losses);
    for (const witness of this.#witnesses) await this.#hearOne(session, witness);
    this.#admitted = incarnation;
  }

  async #hearOne(session: Session, witness: Witness): Promise<void> {
    const losses = this.#needed.includes(witness)
      ? await this.#checks[witness](session)
      : await this.#askShortly(session, witness);
    if (losses === undefined) return;
    if (losses.length > 0) throw this.#lose(losses);
    this.#heard.add(witness);
  }

  /** A connection waits for it: what takes longer is asked again by `lookAgain`, and leaves the connection alone. */
  async #askShortly(session: Session, witness: Witness): Promise<readonly Loss[] | undefined> {
    const lent = lend(session);
    const late = sleep(FIRST_CHECK_MS, undefined, { ref: false });
    const losses = await Promise.race([this.#ask(lent.session, witness), late]);
    lent.takeBack();
    return losses;
  }

  /** @returns undefined when the witness cannot be heard now. */
  async #ask(session: Session, witness: Witness): Promise<readonly Loss[] | undefined> {
    try {
      return await this.#checks[witness](session);
    } catch (error) {
      this.#logger.warn({ err: error, witness }, "checking Postgres against a witness failed, retrying");
      return undefined;
    }
  }

  #lose(losses: readonly Loss[]): HeadwaterError {
    this.#lost = storeWentBack(losses);
    this.#logger.fatal({ losses: losses.slice(0, LOSSES_LOGGED) }, this.#lost.publicMessage);
    this.#onLost(this.#lost);
    return this.#lost;
  }

  /** One after the other: connections that are opened together share what the first one learns. */
  #queue(session: Session, incarnation: string): Promise<void> {
    const next = this.#hearing.then(async () => {
      if (incarnation !== this.#admitted) await this.#hear(session, incarnation);
    });
    this.#hearing = Promise.allSettled([next]);
    return next;
  }

  async #lookAtRefused(session: Session): Promise<void> {
    const incarnation = await readIncarnation(session);
    if ((await this.#checks.identity(session)).length > 0) return;
    for (const witness of this.#witnesses) if ((await this.#ask(session, witness))?.length !== 0) return;
    for (const witness of this.#witnesses) this.#heard.add(witness);
    this.#admitted = incarnation;
    this.#lost = undefined;
    this.#logger.info("Postgres is consistent with Kafka and ClickHouse again");
  }
}

/** A session for one question: whoever asks too long finds it taken back. */
function lend(session: Session) {
  let isLent = true;
  const expectLent = () => {
    if (!isLent) throw new Error("the witness timed out");
  };
  const lent: Session = {
    async query(statement, values) {
      expectLent();
      return session.query(statement, values);
    },
    async execute(statement, values) {
      expectLent();
      return session.execute(statement, values);
    },
  };
  return {
    session: lent,
    takeBack: () => {
      isLent = false;
    },
  };
}

function storeWentBack(losses: readonly Loss[]): HeadwaterError {
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: sentenceOf(losses) });
}

function notHeard(witness: Witness): HeadwaterError {
  const publicMessage = `Postgres has not been checked against ${witness} yet.`;
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}
