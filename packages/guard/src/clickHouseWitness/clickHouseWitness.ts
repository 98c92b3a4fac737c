import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorStatuses } from "@headwater/contracts";
import { type Clock, HeadwaterError, type Logger } from "@headwater/kernel";
import { areTablesOutdated, findStoreLosses, type StoreLoss, sentenceOfLosses } from "./findStoreLosses.ts";
import type { NewMarks } from "./heldStore.ts";
import type { HeldStore, KnownStore, StreamEnd } from "./storeFacts.ts";

/** Stores of a witness: Postgres, which knows, and ClickHouse, which has to confirm. */
export interface WitnessStores {
  known(): Promise<KnownStore>;
  held(identity: string): Promise<HeldStore | undefined>;
  /** Returns whether the replica that answers lacks inserts of others. */
  isBehind(): Promise<boolean>;
  mark(marks: NewMarks): Promise<boolean>;
  /** Gives ClickHouse the identity that Postgres stores, or this one where it stores none, and notes its tables. */
  establish(identity: string): Promise<void>;
}

export interface ClickHouseWitnessOptions {
  readonly stores: WitnessStores;
  /** True in the process that writes to ClickHouse: it creates the identity of a new installation. */
  readonly establishes: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Compares ClickHouse with what it has confirmed before anybody relies on it. */
export interface ClickHouseWitness {
  /**
   * Passes when a check that begins after this call finds nothing lost: whatever was read from ClickHouse before the call counts then.
   * @throws HeadwaterError STORE_WENT_BACK, retriable: it passes again when the former server is back or was rebuilt; the error of
   * the store that is away.
   */
  expectIntact(): Promise<void>;
  /** Marks in ClickHouse that it holds all rows of the streams up to their ends. @throws as `expectIntact`, with nothing marked. */
  mark(ends: readonly StreamEnd[]): Promise<void>;
  /** Returns why nothing is read from ClickHouse, as of the last check. */
  refusal(): HeadwaterError | undefined;
}

/** Calls that come within so many milliseconds after a check began share the next one. */
const CHECKS_APART_MS = 20;
const LOSSES_LOGGED = 20;
const REBUILT =
  "ClickHouse is being rebuilt. Nothing is read from it until `headwater stores rebuild clickhouse` has come to its end; run it again if it was interrupted.";
/** It takes an operator. */
const RETRY_AFTER_SECONDS = 60;

export function createClickHouseWitness(options: ClickHouseWitnessOptions): ClickHouseWitness {
  return new ComparingWitness(options);
}

class ComparingWitness implements ClickHouseWitness {
  readonly #options: ClickHouseWitnessOptions;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();
  /** Check that has not begun. */
  #next: Promise<void> | undefined;
  #refusal: HeadwaterError | undefined;

  constructor(options: ClickHouseWitnessOptions) {
    this.#options = options;
  }

  expectIntact(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = this.#checkAfter(this.#running);
      this.#running = this.#next;
    }
    return this.#next;
  }

  refusal(): HeadwaterError | undefined {
    return this.#refusal;
  }

  async mark(ends: readonly StreamEnd[]): Promise<void> {
    const { stores } = this.#options;
    const { identity, marks } = await stores.known();
    if (identity !== undefined && (await stores.mark({ identity, ends, known: marks }))) return;
    await this.expectIntact();
    throw behind("ClickHouse could not be marked, because it was being changed.");
  }

  async #checkAfter(running: Promise<void>): Promise<void> {
    const { clock } = this.#options;
    await Promise.allSettled([running]);
    const waitMs = this.#startedAtMs + CHECKS_APART_MS - clock.monotonicMs();
    if (waitMs > 0) await sleep(waitMs);
    this.#next = undefined;
    this.#startedAtMs = clock.monotonicMs();
    await this.#check();
  }

  async #check(): Promise<void> {
    const { stores, establishes } = this.#options;
    const known = await stores.known();
    if (known.rebuild === "clearing" || (known.rebuild === "replaying" && !establishes))
      throw this.#refuseWhileRebuilt();
    const held = await stores.held(known.identity ?? "");
    const [first, ...more] = findStoreLosses(known, held);
    // Another process may have created the identity between both reads. It is never taken away, so this happens once.
    if (first?.kind === "foreign" && (await stores.known()).identity !== undefined) return this.#check();
    if (first !== undefined) throw await this.#refuse([first, ...more]);
    if (establishes && isUnfinished(known, held)) await stores.establish(randomUUID());
    this.#accept();
  }

  async #refuse(losses: readonly [StoreLoss, ...StoreLoss[]]): Promise<HeadwaterError> {
    if (await this.#options.stores.isBehind()) return behind("This replica of ClickHouse lacks rows that others hold.");
    const refusal = storeWentBack(sentenceOfLosses(losses));
    if (this.#refusal?.publicMessage !== refusal.publicMessage)
      this.#options.logger.fatal({ losses: losses.slice(0, LOSSES_LOGGED) }, refusal.publicMessage);
    this.#refusal = refusal;
    return refusal;
  }

  #refuseWhileRebuilt(): HeadwaterError {
    this.#refusal ??= storeWentBack(REBUILT);
    return this.#refusal;
  }

  #accept(): void {
    if (this.#refusal !== undefined)
      this.#options.logger.info("ClickHouse holds everything that it has confirmed again");
    this.#refusal = undefined;
  }
}

/** Returns whether ClickHouse has yet to be given the identity, or has tables that Postgres has not noted. */
function isUnfinished(known: KnownStore, held: HeldStore | undefined): boolean {
  return !known.isEstablished || (held !== undefined && areTablesOutdated(known, held));
}

function storeWentBack(publicMessage: string): HeadwaterError {
  const code = "STORE_WENT_BACK";
  const extra = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new HeadwaterError({ code, status: errorStatuses[code], publicMessage, retriable: true, extra });
}

function behind(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}
