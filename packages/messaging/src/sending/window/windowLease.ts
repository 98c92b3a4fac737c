import { holdSends } from "../../sends/claimSends.ts";
import type { SendKey } from "../../sends/sendRow.ts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import { type IntendedSend, keyOf, nameOf } from "./intendWindow.ts";

/** A claim is renewed when a third of it is over. */
const RENEWALS_PER_LEASE = 3;

/** Claim of a window, as this process sees it. */
export class WindowLease {
  readonly #account: number;
  readonly #open: Map<string, SendKey>;
  readonly #ports: SenderPorts;
  #until: number;

  constructor(
    account: number,
    sends: readonly IntendedSend[],
    { ports, claimedAtMs }: { readonly ports: SenderPorts; readonly claimedAtMs: number },
  ) {
    [this.#account, this.#ports] = [account, ports];
    this.#open = new Map(sends.map(({ send }) => [nameOf(send), keyOf(send)]));
    this.#until = claimedAtMs + (ports.leaseMs ?? LEASE_MS);
  }

  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Takes sends out whose outcomes are stored. */
  settled(sends: readonly SendKey[]): void {
    for (const send of sends) this.#open.delete(nameOf(send));
  }

  /** Renews the claim while its messages are under way: a slow answer is waited for by a process that lives. */
  keep(): { stop(): Promise<void> } {
    const { leaseMs = LEASE_MS } = this.#ports;
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = this.#renew();
    }, leaseMs / RENEWALS_PER_LEASE);
    return {
      async stop() {
        clearInterval(timer);
        await renewing;
      },
    };
  }

  async #renew(): Promise<void> {
    const { postgres, owner, leaseMs = LEASE_MS, logger } = this.#ports;
    const from = performance.now();
    try {
      const held = await holdSends(postgres, [...this.#open.values()], { account: this.#account, owner, leaseMs });
      const names = new Set(held.map(nameOf));
      // Those whose outcomes were stored meanwhile are nobody's any more.
      if ([...this.#open.keys()].every((name) => names.has(name))) this.#until = from + leaseMs;
    } catch (error) {
      logger.warn({ err: error }, "renewing the claim of sends failed");
    }
  }
}
