import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, createMetrics, manualClock } from "@headwater/kernel";
import { MemoryStateStore } from "@headwater/testing";
import type { BatchContext, LogFrame, StreamHandler } from "@headwater/topics";
import { createStateHandler } from "./stateHandler.ts";

export const account: Account = { number: 7, id: "a".repeat(24), name: "test", settings: defaultSettings };
export const at = { topic: "intake.records", partition: 3 };
export const HOUR_MS = 3_600_000;
export const HIGH = 1_000;
export const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};

/** The state in memory, and owners of its partition. */
export class StateWorld {
  readonly state = new MemoryStateStore();
  /** Number of batches that were stored. */
  stored = 0;
  /** Number of triggers with which activities were not compared. */
  uncompared = 0;
  /** Number of messages and records that were quarantined. */
  quarantined = 0;
  readonly lines: string[] = [];
  /** The registry is away. */
  isAway = false;

  owner(of: Account = account): StreamHandler {
    const metrics = createMetrics({ processMetrics: false });
    return createStateHandler({
      state: this.state,
      codec: { decode: (value) => this.#decode(value) },
      accounts: { byId: async (id) => (id === of.id ? of : undefined), catchUp: async () => undefined },
      logger: createLogger({
        name: "test",
        level: "error",
        destination: { write: (line) => void this.lines.push(line) },
      }),
      clock: manualClock(HOUR_MS),
      parkedForMs: [5_000],
      outcomes: metrics.counter({ name: "outcomes", help: "by outcome", labels: ["operation", "outcome"] }),
      onUncompared: (triggers) => {
        this.uncompared += triggers;
      },
      onQuarantined: (records) => {
        this.quarantined += records;
      },
      onStored: () => {
        this.stored += 1;
      },
    });
  }

  /** Opens the partition and applies the frames as one batch. */
  async send(handler: StreamHandler, ...frames: readonly LogFrame[]) {
    await handler.start({ ...at, low: 0, high: HIGH });
    return this.batch(handler, ...frames);
  }

  batch(handler: StreamHandler, ...frames: readonly LogFrame[]) {
    return handler.batch({ ...at, frames, highWatermark: HIGH }, context);
  }

  /** Addresses of contacts with their cities. */
  cities(): readonly string[] {
    const { owners, contacts } = this.state.tables.state;
    return [...owners]
      .map(([key, number]) => {
        const [city = ""] = /Bonn|Rome|Oslo/.exec(contacts.get(number)?.doc ?? "") ?? [];
        return `${key.split("\n")[2]?.replace("@x.org", "")} ${city}`.trim();
      })
      .sort();
  }

  async offset(): Promise<number> {
    return (await this.state.open({ ...at, low: 0 })).nextOffset;
  }

  /** Refused records with their statuses and codes. */
  refused(): readonly string[] {
    const rows = [...this.state.tables.rejects.values()];
    return rows.map(({ recordId, status, code }) => `${recordId} ${status} ${code}`).sort();
  }

  outcomes() {
    return [...this.state.tables.outcomes.values()];
  }

  /** Values say their subject and contents themselves, as JSON text. */
  #decode(value: Buffer) {
    if (this.isAway) throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const text = value.toString();
    if (!text.startsWith("{")) return { kind: "undecodable" as const, reason: "not JSON" };
    const { subject, ...frame } = JSON.parse(text);
    return { kind: "decoded" as const, subject, value: frame };
  }
}

export function frame(offset: number, value: string): LogFrame {
  return { offset, timeMs: HOUR_MS + offset, key: undefined, value: Buffer.from(value), headers: {} };
}

export function frameOf(offset: number, operation: string, ...records: readonly unknown[]): LogFrame {
  return frame(offset, JSON.stringify({ subject: `intake.${operation}`, account: account.id, records }));
}

export function contact(name: string, more: object = {}): object {
  return { identifiers: { email: `${name}@x.org` }, canBeCreated: true, canBeUpdated: true, ...more };
}

export function record(id: string, contact: object, more: object = {}) {
  return { id: `${id}:0:0`, receivedAt: 1, contact, ...more };
}

/** One contact with a city in a frame of its own. */
export function upsert(offset: number, name: string, city = "Bonn"): LogFrame {
  return frameOf(offset, "upsertContact", record(`r${offset}`, contact(name, { attributes: { city } })));
}
