import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { runJob } from "@headwater/jobs/runner/runJob";
import type { RunnerOptions } from "@headwater/jobs/runner/runnerOptions";
import { createOutbound, systemClock } from "@headwater/kernel";
import { stepMessages } from "@headwater/messaging/jobs/messageUpkeep";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { createJobKinds } from "@headwater/worker/jobs/index";
import { sources, storages } from "../../jobs/sandboxes.ts";
import { storedTime } from "../../service/running.ts";
import { AT, type SeedContact, seedContacts, versionAt } from "../../service/seed.ts";
import { logger } from "../../stores/fresh.ts";
import { type MessageWorld, messageWorld, ROOT } from "./messageWorld.ts";

export const cidOf = (number: number) => `75f0c0ffee65f0c0ffee${String(number).padStart(4, "0")}`;

export interface SendWorld extends MessageWorld {
  /** Stores contacts on a list, in both stores. */
  join(
    contacts: readonly number[],
    attributes?: SeedContact["attributes"],
    channels?: SeedContact["channels"],
  ): Promise<void>;
  /** Takes contacts off the list. */
  leave(contacts: readonly number[]): Promise<void>;
  /** Works the message's job off until it waits or is over, in at most so many steps. */
  work(id: string, stepsMax?: number): Promise<void>;
  /** Works a job of the account off until it waits or is over, in at most so many steps. */
  workJob(job: string, stepsMax?: number): Promise<void>;
  /** Starts what is due, and gives the contacts of canceled messages their rows. */
  upkeep(): Promise<void>;
  /** Calls a message's state route. @returns status, and the state or the refusal's code. */
  put(id: string, call: string): Promise<string>;
  see(id: string): Promise<Awaited<ReturnType<MessageWorld["call"]>>["body"]>;
  /** Contacts with a row, by their state and reason. */
  rows(id: string): Promise<Readonly<Record<string, readonly number[]>>>;
  /** Plays the senders: every wanted send that may be taken is sent. */
  sendAll(id: string): Promise<void>;
  /** Works a job off, and has ClickHouse lose its staging tables before the first steps that need them. @returns how often. */
  workThroughLosses(job: string): Promise<number>;
  sql(text: string, values?: readonly (string | number)[]): Promise<void>;
}

/** Criteria of those that `join` put there and `leave` did not take away. */
export const MEMBERS = { field: "attributes.member", op: "eq", value: "yes" };

/** An account with a default transport for email, and no contact. */
export async function sendWorld(): Promise<SendWorld> {
  const world = await messageWorld();
  const { service, account, call } = world;
  await ensureAttributes(service.postgres, [{ account: account.number, key: "member" }], AT);
  const settings = { host: "mail.example.com", fromDomains: ["example.com"] };
  const created = await call("POST", "/v2/transports", {
    name: "Out",
    channel: "email",
    type: "smtp",
    settings,
    default: true,
  });
  if (created.status !== 201) throw new Error(created.text);
  const written = { version: versionAt(AT), revision: 1 };
  const mark = async (contacts: readonly number[], value: string, revision: number) => {
    const field = { field: "attributes.member", kind: "string", number: null, text: value };
    const version = versionAt(AT + revision);
    await service.insert(
      "contact_fields_current",
      account,
      contacts.map((contact) => ({ contact, ...field, version, revision })),
    );
  };
  let revision = 1;
  const stored = new Set<number>();
  const sql: SendWorld["sql"] = async (text, values = []) => {
    await service.postgres.execute({ text }, values);
  };
  return {
    ...world,
    sql,
    async join(contacts, attributes = {}, channels) {
      revision += 1;
      const fresh = contacts.filter((number) => !stored.has(number));
      for (const number of fresh) stored.add(number);
      const rows = fresh.map((number) => ({
        ...{ number, cid: cidOf(number), attributes },
        identifiers: { email: `c${number}@example.com` },
        ...(channels && { channels }),
      }));
      await seedContacts(service.postgres, account, rows);
      const time = storedTime(AT);
      const present = { merged_into: 0, deleted: 0, created_at: time, modified_at: time, ...written };
      await service.insert(
        "contacts_current",
        account,
        fresh.map((contact) => ({ contact, cid: cidOf(contact), ...present })),
      );
      const fields = Object.entries(attributes).map(([name, value]) => ({
        ...{ field: `attributes.${name}`, number: null, ...written },
        ...(typeof value === "object"
          ? { kind: "object", text: JSON.stringify(value) }
          : { kind: "string", text: String(value) }),
      }));
      const values = fresh.flatMap((contact) => fields.map((field) => ({ contact, ...field })));
      if (values.length > 0) await service.insert("contact_fields_current", account, values);
      await mark(contacts, "yes", revision);
    },
    async leave(contacts) {
      revision += 1;
      await mark(contacts, "no", revision);
    },
    work: (id, stepsMax) => work(world, id, stepsMax),
    workJob: (job, stepsMax) => workJob(world, job, stepsMax),
    workThroughLosses: (job) => workThroughLosses(world, job),
    async upkeep() {
      const queue = { ...noQueue };
      while (await stepMessages({ postgres: service.postgres, queue, clock: systemClock }));
    },
    async put(id, name) {
      const { status, body } = await call("PUT", `${ROOT}/${id}/${name}`);
      return `${status} ${body.status ?? body.code}`;
    },
    see: async (id) => (await call("GET", `${ROOT}/${id}`)).body,
    async rows(id) {
      const text = `SELECT CASE WHEN state = 'skipped' THEN reason ELSE state END AS state, contact FROM sends
        WHERE account = $1 AND message = $2 ORDER BY contact`;
      const rows = await service.postgres.query<{ state: string; contact: number }>({ text }, [account.number, id]);
      const groups = Map.groupBy(rows, ({ state }) => state);
      return Object.fromEntries([...groups].map(([state, all]) => [state, all.map(({ contact }) => contact)]));
    },
    sendAll: (id) =>
      sql(
        "UPDATE sends SET state = 'sent' WHERE account = $1 AND message = $2 AND state = 'pending' AND due_at <= $3",
        [account.number, id, Date.now() + 60_000],
      ),
  };
}

/** Enough for a job of few contacts that begins again for each of its losses. */
const STEPS_WITH_LOSSES = 30;
const nothing = async () => undefined;
const noQueue = { add: nothing, giveBack: nothing, hasRoom: async () => true, isOthersTurn: async () => false };

/** Runs a worker on a message's job; it is dropped behind its last step. */
async function work(world: MessageWorld, id: string, stepsMax?: number): Promise<void> {
  const { service, account, call } = world;
  const text = "SELECT job FROM batch_messages WHERE account = $1 AND id = $2";
  const [row] = await service.postgres.query<{ job: string }>({ text }, [account.number, id]);
  if (row === undefined) throw new Error(`no message ${id}: ${(await call("GET", `${ROOT}/${id}`)).text}`);
  await workJob(world, row.job, stepsMax);
}

async function workThroughLosses(world: MessageWorld, job: string): Promise<number> {
  const { clickHouse, postgres } = world.service;
  const lostIn = new Set<string>();
  for (let step = 0; step < STEPS_WITH_LOSSES; step += 1) {
    const text = "SELECT COALESCE(progress::text, '{}') AS progress FROM jobs WHERE id = $1";
    const [row] = await postgres.query<{ progress: string }>({ text }, [job]);
    const { phase, table } = JSON.parse(row?.progress ?? "{}");
    if (typeof table === "string" && !lostIn.has(phase)) {
      lostIn.add(phase);
      await clickHouse.command(`DROP TABLE IF EXISTS ${table} SYNC`);
    }
    await workJob(world, job, 1);
  }
  return lostIn.size;
}

async function workJob({ service }: MessageWorld, job: string, stepsMax = 1_000): Promise<void> {
  const { postgres, clickHouse: clickhouse, bulk } = service;
  const killed = new AbortController();
  let steps = 0;
  const kinds: RunnerOptions["kinds"] = new Map(
    [...createJobKinds().kinds].map(([name, kind]) => [
      name,
      {
        ...kind,
        prepare: (...input) => {
          if (steps >= stepsMax) killed.abort(new Error("killed"));
          killed.signal.throwIfAborted();
          steps += 1;
          return kind.prepare(...input);
        },
      },
    ]),
  );
  const runner: RunnerOptions = {
    ...{ postgres, clickhouse, bulk, kinds, clock: systemClock, logger, queue: noQueue, sinkSettleMs: 0 },
    highWatermarks: async () => [],
    ...{
      files: createFileStore({ folder: "/nonexistent" }),
      sources,
      storages,
      outbound: createOutbound({ allow: [] }),
    },
    ...{ sealer: undefined, producer: { append: () => Promise.reject(new Error("this test has no log")) } },
    account: (number) => findAccountByNumber(postgres, number),
    onEnd: () => undefined,
  };
  await runJob(runner, job, killed.signal).catch((error: unknown) => {
    if (!killed.signal.aborted) throw error;
  });
}
