import { createAccount } from "@headwater/accounts/accounts/accounts";
import { ACTIVITIES_TOPIC, type Account, accountSettings, versionOf } from "@headwater/contracts";
import { createLogger, type ManualClock, manualClock } from "@headwater/kernel";
import { createTemplate } from "@headwater/messaging/templates/templates";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { BatchContext, LogFrame, StreamHandler } from "@headwater/topics";
import type { Composition } from "../orchestrations/orchestration.ts";
import { insertVersion } from "../orchestrations/postgres.ts";
import { compositionOf } from "../orchestrations/testJourney.ts";
import { createFactsHandler } from "./factsHandler.ts";
import { createJourneys } from "./journeys.ts";
import { moveAfterSends, moveDueRuns, startIdleCarts } from "./moveRuns.ts";
import { insertSweep, type NewSweep } from "./sweepRows.ts";
import { sweepRuns } from "./sweepRuns.ts";

/** A Monday in winter: 9:00 in UTC. */
export const AT = Date.parse("2026-01-05T09:00:00Z");
export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;
const ID_CHARACTERS = 24;
const logger = createLogger({ name: "test", level: "silent" });
const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};
/** Values say their contents themselves, as JSON text. */
const codec = {
  decode: (value: Buffer) => ({ kind: "decoded" as const, subject: "", value: JSON.parse(value.toString()) }),
};

/** Contents of a test's activity. */
export interface Happened {
  readonly contact?: number;
  readonly properties?: object;
  readonly more?: object;
}

interface Published {
  readonly id?: string;
  readonly version?: number;
  readonly migration?: Readonly<Record<string, string>>;
}

let accounts = 0;

/** An account with orchestrations, and one automation process over its Postgres; change events stand in a log in memory. */
export class RunsWorld {
  readonly postgres: Postgres;
  readonly account: Account;
  readonly clock: ManualClock = manualClock(AT);
  readonly logs = new Map<string, LogFrame[]>();
  #ids = 0;

  private constructor(postgres: Postgres, account: Account) {
    this.postgres = postgres;
    this.account = account;
  }

  static async create(postgres: Postgres): Promise<RunsWorld> {
    const id = String(++accounts).padStart(ID_CHARACTERS, "0");
    const account = await createAccount(postgres, { id, name: "runs", settings: accountSettings.parse({}) });
    const world = new RunsWorld(postgres, account);
    await postgres.execute({ text: "DELETE FROM stream_offsets" });
    for (const number of [1, 2, 3]) await world.createContact(number);
    return world;
  }

  async createContact(number: number): Promise<void> {
    await this.postgres.execute(
      {
        text: `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, doc)
          VALUES ($1, $2, $3, $4, $4, $5, 1, '{"v":[],"identifiers":[],"attributes":[],"channels":[]}')`,
      },
      [
        this.account.number,
        number,
        `c${number}`,
        AT,
        versionOf(AT, { lane: 1, partition: 0, offset: number, place: 0 }),
      ],
    );
  }

  /** Marks a contact as merged into another one, as a merge of `state` does. */
  async merge(merged: number, survivor: number): Promise<void> {
    const text = "UPDATE contacts SET merged_into = $3 WHERE account = $1 AND number = $2";
    await this.postgres.execute({ text }, [this.account.number, merged, survivor]);
  }

  async createTemplate(key: string): Promise<void> {
    const settings = { name: key, classification: "transactional", priority: 2, baseAggregation: "daily" };
    const sending = { trackLinks: "disabled", bcc: null, bccEnabled: false };
    const template = {
      ...{ account: this.account.number, key, mdtId: this.#id(), channel: "email", tags: null, transportId: null },
      ...{ settings: JSON.stringify({ ...settings, ...sending }), published: "{}", draft: null },
    };
    await this.postgres.transaction((transaction) => createTemplate(transaction, template, AT));
  }

  /** Publishes a draft as a version and enables it. @returns the id of the orchestration. */
  async publish(draft: object, { id = this.#id(), version = 1, migration }: Published = {}): Promise<string> {
    const composition = compositionOf(draft);
    await this.postgres.transaction(async (transaction) => {
      await insertVersion(transaction, { ...this.#version(composition, id, version), migration });
      const text = `INSERT INTO orchestrations (account, id, name, is_enabled, enabled_at, version, composition_id, published_at,
          content, created_at, updated_at) VALUES ($1, $2, $2, true, $3, $4, $5, $3, '{}', $3, $3)
        ON CONFLICT (account, id) DO UPDATE SET version = EXCLUDED.version, composition_id = EXCLUDED.composition_id`;
      await transaction.execute({ text }, [this.account.number, id, AT, version, `${id}${version}`]);
    });
    return id;
  }

  async enable(id: string, isEnabled: boolean): Promise<void> {
    const text = "UPDATE orchestrations SET is_enabled = $3 WHERE account = $1 AND id = $2";
    await this.postgres.execute({ text }, [this.account.number, id, isEnabled]);
  }

  async sweep(sweep: Omit<NewSweep, "account">): Promise<void> {
    const { number: account } = this.account;
    await this.postgres.transaction((transaction) => insertSweep(transaction, { account, ...sweep }));
  }

  #version(composition: Composition, orchestration: string, version: number) {
    const names = { account: this.account.number, orchestration, version, compositionId: `${orchestration}${version}` };
    return { ...names, composition, lists: {}, publishedAt: AT };
  }

  #id(): string {
    this.#ids += 1;
    return `${this.account.number}e${this.#ids}`.padStart(ID_CHARACTERS, "0");
  }

  /** Appends an activity, applied now. @returns its position in the log. */
  async happen(action: string, { contact = 1, properties = {}, more = {} }: Happened = {}): Promise<number> {
    const offset = this.logs.get(ACTIVITIES_TOPIC)?.length ?? 0;
    const at = this.clock.nowMs();
    const version = versionOf(at, { lane: 1, partition: 0, offset, place: 0 });
    const of = { account: this.account.number, contact, version, id: `r${offset}:0:0`, stream: "intake.records/0" };
    const time = new Date(at).toISOString();
    return this.append(ACTIVITIES_TOPIC, { ...of, position: offset * 4_096, action, time, properties, ...more });
  }

  /** Appends a change event, with the next position in the outbox. */
  async append(topic: string, ...changes: readonly object[]): Promise<number> {
    const [row] = await this.postgres.query<{ position: number }>({
      text: "SELECT nextval('outbox_positions') AS position",
    });
    const value = Buffer.from(JSON.stringify({ position: row?.position ?? 0, changes }));
    const log = this.logs.get(topic) ?? [];
    this.logs.set(topic, log);
    log.push({ offset: log.length, timeMs: this.clock.nowMs(), key: undefined, value, headers: {} });
    return log.length - 1;
  }

  /** Returns the parts of a new process. @param postgres what it reaches Postgres by. */
  process(postgres: Postgres = this.postgres) {
    const ports = { postgres, codec, clock: this.clock, logger, journeys: createJourneys(this.clock) };
    const handler = createFactsHandler(ports);
    return {
      ports,
      read: (topic: string = ACTIVITIES_TOPIC) => this.#read(handler, topic),
      moveDue: async () => {
        const carts = await startIdleCarts(ports, this.clock.nowMs());
        return carts + (await moveDueRuns(ports, this.clock.nowMs()));
      },
      moveAfterSends: () => moveAfterSends(ports),
      sweep: () => sweepRuns(ports),
    };
  }

  /** Gives a partition to a handler that reads to its end. */
  async #read(handler: StreamHandler, topic: string): Promise<void> {
    const log = this.logs.get(topic) ?? [];
    const at = { topic, partition: 0 };
    let { fromOffset } = await handler.start({ ...at, low: 0, high: log.length });
    while (fromOffset < log.length) {
      const next = await handler.batch({ ...at, frames: log.slice(fromOffset), highWatermark: log.length }, context);
      if (next.kind === "wait") throw new Error("a batch of facts waits for nothing");
      fromOffset = next.offset;
    }
  }

  /** Does all that is to be done now, as a sender does its part: every send arrives, or ends as it is said. */
  async settle(state = "sent", process = this.process()): Promise<void> {
    for (let rounds = 0; rounds < 100; rounds++) {
      for (const topic of this.logs.keys()) await process.read(topic);
      while (await process.sweep());
      const moved = await process.moveDue();
      const sent = await this.endSends(state);
      if (moved + sent + (await process.moveAfterSends()) === 0) return;
    }
    throw new Error("the runs never come to rest");
  }

  /** Ends all sends that are due. @returns how many. */
  endSends(state: string, reason: string | null = null): Promise<number> {
    const text = "UPDATE sends SET state = $2, reason = $3, at = $4 WHERE account = $1 AND state = 'pending'";
    return this.postgres.execute({ text }, [this.account.number, state, reason, this.clock.nowMs()]);
  }

  /** Nodes that runs have left, each with its result. */
  async path(contact = 1): Promise<string[]> {
    const rows = await this.postgres.query<{ node: string; edge: string | null; contact: number }>(
      {
        text: `SELECT s.node, s.edge, r.contact FROM orchestration_steps s JOIN orchestration_runs r ON (r.account, r.id) = (s.account, s.run)
        WHERE s.account = $1 ORDER BY r.entered_at, r.id, s.visit`,
      },
      [this.account.number],
    );
    return rows
      .filter((row) => row.contact === contact)
      .map(({ node, edge }) => (edge === null ? node : `${node} ${edge}`));
  }

  /** States of runs, in the order in which they were entered. */
  async states(): Promise<string[]> {
    const rows = await this.postgres.query<{ state: string }>(
      { text: "SELECT state FROM orchestration_runs WHERE account = $1 ORDER BY entered_at, id" },
      [this.account.number],
    );
    return rows.map(({ state }) => state);
  }

  /** Templates and numbers of sends. */
  async sends(): Promise<string[]> {
    const rows = await this.postgres.query<{ template: string | null; kind: string; contact: number; n: number }>(
      {
        text: `SELECT w.template, s.kind, s.contact, s.n FROM sends s JOIN send_wants w ON (w.account, w.id) = (s.account, s.want)
        WHERE s.account = $1 ORDER BY s.created_at, s.message, s.contact, s.n`,
      },
      [this.account.number],
    );
    return rows.map(({ template, kind, contact, n }) => `${template} ${kind} ${contact}/${n}`);
  }
}

interface Kill {
  /** Number of the transaction, from 1. */
  readonly at: number;
  readonly when: "before" | "after";
  killed(): Error;
}

/** Fails at one of its transactions: before its commit, or after it with the answer lost. */
export function failing(postgres: Postgres, { at, when, killed }: Kill): Postgres {
  let transactions = 0;
  return {
    ...postgres,
    async transaction(run, options) {
      const isLast = ++transactions === at;
      const result = await postgres.transaction(async (transaction, atCommit) => {
        const value = await run(transaction, atCommit);
        if (isLast && when === "before") throw killed();
        return value;
      }, options);
      if (isLast) throw killed();
      return result;
    },
  };
}
