import { createFairGate, type FairGate } from "@headwater/kernel";
import { createShares, type Shares } from "../guards/shares.ts";

const KIB = 1024;
/**
 * Bytes that every request may hold uncharged: a small body is never refused because of others. Connections bound how many there
 * are, and the buffers of a connection are as large.
 */
export const FREE_BYTES = 16 * KIB;

/** Pool of callers whose bytes are charged, and whose bodies are unpacked so many at once. */
export interface BodyPool {
  readonly shares: Shares;
  readonly unpackings: FairGate;
}

/** Bytes of bodies that are held in memory at one time, over all requests. */
export interface BodyBudget {
  /** Pool of callers whose key is known; the holder is their account. Nobody else can take of it. */
  readonly known: BodyPool;
  /** Pool of those who have yet to prove who they are; the holder is their address. */
  readonly others: BodyPool;
}

/** Share of the whole that is reserved for known callers. */
const KNOWN_SHARE = 0.75;
/** An account that is alone takes three quarters of its pool; one address half of the other. */
const WEIGHT_OF_ACCOUNT = 3;
const WEIGHT_OF_ADDRESS = 1;
/** zlib has four threads: more at once are not faster, and hold memory meanwhile. */
const KNOWN_UNPACKINGS = 8;
const OTHER_UNPACKINGS = 4;
/** Bodies of one holder that wait to be unpacked; each is a request in flight, whose time ends first. */
const WAITING_MAX = 2_048;
const WAIT_MS_MAX = 60_000;

export function createBodyBudget(bytesMax: number): BodyBudget {
  const knownMax = Math.floor(bytesMax * KNOWN_SHARE);
  return {
    known: {
      shares: createShares({ max: knownMax, weight: WEIGHT_OF_ACCOUNT }),
      unpackings: createUnpackings(KNOWN_UNPACKINGS),
    },
    others: {
      shares: createShares({ max: bytesMax - knownMax, weight: WEIGHT_OF_ADDRESS }),
      unpackings: createUnpackings(OTHER_UNPACKINGS),
    },
  };
}

function createUnpackings(slots: number): FairGate {
  const waiting = { waitingPerFlow: WAITING_MAX, waitMsMax: WAIT_MS_MAX };
  return createFairGate({ what: "compressed bodies", slots, slotsPerFlow: slots, ...waiting });
}

/** Charge for what one body holds: bytes that have come, compressed ones while they are unpacked, unpacked ones as they appear. */
export class BodyCharge {
  #pool: BodyPool;
  #holder: string;
  #bytes = 0;
  #charged = 0;

  constructor(pool: BodyPool, holder: string) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** @returns false, and charges nothing, when the pool or the holder's share of it is used up. */
  add(bytes: number): boolean {
    const charged = Math.max(0, this.#bytes + bytes - FREE_BYTES);
    if (charged > this.#charged && !this.#pool.shares.take(this.#holder, charged - this.#charged)) return false;
    this.#charged = Math.max(charged, this.#charged);
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
    const charged = Math.max(0, this.#bytes - FREE_BYTES);
    if (charged < this.#charged) this.#pool.shares.give(this.#holder, this.#charged - charged);
    this.#charged = Math.min(charged, this.#charged);
  }

  /** The caller is known now. @returns false when there is no space for what it holds already. */
  moveTo(pool: BodyPool, holder: string): boolean {
    if (this.#charged > 0) {
      if (!pool.shares.take(holder, this.#charged)) return false;
      this.#pool.shares.give(this.#holder, this.#charged);
    }
    this.#pool = pool;
    this.#holder = holder;
    return true;
  }

  release(): void {
    if (this.#bytes > 0) this.remove(this.#bytes);
  }

  /** Runs when it is the holder's turn. */
  unpacking<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#pool.unpackings.run(this.#holder, task);
  }
}
