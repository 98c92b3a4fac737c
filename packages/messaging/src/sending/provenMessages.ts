import type { SendKey } from "../sends/sendRow.ts";
import type { PreparedSend } from "./window/prepareWindow.ts";

/** Messages that a process remembers. */
const MESSAGES_MAX = 10_000;
/** A message of which more than one in so many fails is tried again. */
const WELL_PER_FAILURE = 10;

/**
 * Messages that have rendered well in this process. All others are tried in windows and threads of their own: a content that runs for its
 * whole second holds up no message that is under way.
 */
export class ProvenMessages {
  readonly #proven = new Set<string>();

  has(send: Pick<SendKey, "account" | "message">): boolean {
    return this.#proven.has(nameOf(send));
  }

  /** Learns from what was rendered in a window. */
  note(prepared: readonly Pick<PreparedSend, "send" | "outcome">[]): void {
    for (const [name, sends] of Map.groupBy(prepared, ({ send }) => nameOf(send))) {
      const failed = sends.filter(
        ({ outcome }) => outcome.kind === "skip" && outcome.reason === "render-failed",
      ).length;
      const well = sends.filter(({ outcome }) => outcome.kind === "composed").length;
      if (failed * WELL_PER_FAILURE > well) this.#proven.delete(name);
      else if (well > 0) this.#remember(name);
    }
  }

  #remember(name: string): void {
    this.#proven.add(name);
    const [oldest] = this.#proven;
    if (this.#proven.size > MESSAGES_MAX && oldest !== undefined) this.#proven.delete(oldest);
  }
}

function nameOf({ account, message }: Pick<SendKey, "account" | "message">): string {
  return `${account} ${message}`;
}
