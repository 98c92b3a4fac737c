import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, isFinalJob } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import type { ServiceOptions } from "@headwater/service/serviceServer";
import { freshFolder, workOff } from "../../jobs/workOff.ts";
import { type Running, startService, storedTime } from "../../service/running.ts";
import { AT } from "../../service/seed.ts";

type ExportPath =
  | "contactexports"
  | "contactactivityexport"
  | "audiencetrendsexport"
  | "accountmonitorexport"
  | "messageanalyticsexport"
  | "ordersexport";

/** A service with an account and a folder for what its exports write. */
export interface ExportWorld {
  readonly service: Running;
  readonly account: Account;
  readonly key: string;
  readonly folder: string;
  /** Starts an export and works it off. @returns the job at its end. */
  run(path: ExportPath, body: object): Promise<ReturnType<typeof JSON.parse>>;
  /** The same as another account. */
  runAs(by: { readonly key: string }, path: ExportPath, body: object): Promise<ReturnType<typeof JSON.parse>>;
  /** Works a job off until it is over or waits for somebody else. */
  workOn(jobId: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Works the job off up to where files or its manifest are to be written: by a worker that dies there. */
  untilPhase(phase: "write" | "manifest", jobId: string): Promise<void>;
  /** Counts the staging tables of a job. */
  tablesOf(jobId: string): Promise<number>;
  post(path: string, body: object): Promise<{ readonly status: number; readonly body: ReturnType<typeof JSON.parse> }>;
  job(id: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Bytes of a file of a job. */
  bytes(file: { readonly id: string; readonly account?: string }): Promise<Buffer>;
  drop(): Promise<void>;
}

const STEPS_MAX = 50;
/** Attempts after which a job that stays where it is waits for somebody else. */
const WAITS_MAX = 5;

const stopAt = (phase: string) => `CREATE OR REPLACE FUNCTION stop_at_phase() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.progress->>'phase' = '${phase}' THEN NEW.attempt := NEW.attempt + 1; END IF; RETURN NEW; END $$`;

/** An activity at a position in the log, as the sink writes it. */
export function loggedActivity(
  contact: number,
  at: { readonly offset: number; readonly partition?: number },
  more: object = {},
) {
  const { offset, partition = 0 } = at;
  const row = { contact, action: "browse", time: storedTime(AT + offset), ingested: storedTime(AT + offset) };
  const ids = { uid: `u${offset}`, record: `r:${offset}:0`, mc_id: "", properties: '{"category":"Shoes","index":1}' };
  const rest = { geo_city: "", geo_country: "", geo_lat: null, geo_lon: null, device: "" };
  return { ...row, ...ids, ...rest, topic_generation: 1, lane: 1, partition, log_offset: offset, place: 0, ...more };
}

/** Says that the groups have read everything below an offset of the only partition. */
export async function haveRead({ service }: Pick<ExportWorld, "service">, offset: number): Promise<void> {
  service.highs.set("intake.records", offset);
  await service.postgres.execute(
    {
      text: `INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset, window_from)
        SELECT g, 'intake.records', 1, 0, $1, 0 FROM unnest(ARRAY['state', 'activities']) AS g
        ON CONFLICT (grp, topic, generation, partition) DO UPDATE SET next_offset = $1`,
    },
    [offset],
  );
}

/** @param outward what service and worker reach storages outside by; default: none is reached. */
export async function startExportWorld(
  outward?: Required<Pick<ServiceOptions, "outbound" | "sealer">> & Pick<ServiceOptions, "canMail">,
): Promise<ExportWorld> {
  const folder = freshFolder();
  const service = await startService({ files: createFileStore({ folder }), ...outward });
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write", "admin"] });
  const job = async (id: string) => (await service.call(key, `/v2/jobs/${id}`)).body;
  const runAs: ExportWorld["runAs"] = async (by, path, body) => {
    const started = await service.call(by.key, `/v2/${path}`, { method: "POST", body });
    if (started.status !== 202) throw new Error(JSON.stringify(started.body));
    const { jobId } = started.body;
    const check = async () => (await service.call(by.key, `/v2/jobs/${jobId}`)).body;
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      await workOff(service, jobId, folder, outward);
      const now = await check();
      if (isFinalJob(now.status)) return now;
      await sleep(50);
    }
    return check();
  };
  const post = (path: string, body: object) => service.call(key, `/v2/${path}`, { method: "POST", body });
  const workOn = async (jobId: string) => {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const before = JSON.stringify(await progressOf(jobId));
      await workOff(service, jobId, folder, outward);
      const now = await job(jobId);
      if (isFinalJob(now.status) || (steps >= WAITS_MAX && before === JSON.stringify(await progressOf(jobId))))
        return now;
      await sleep(50);
    }
    return job(jobId);
  };
  const progressOf = (id: string) =>
    service.postgres.query<{ progress: string }>(
      { text: "SELECT progress::text AS progress FROM jobs WHERE id = $1" },
      [id],
    );
  return {
    service,
    account,
    key,
    folder,
    job,
    post,
    run: (path, body) => runAs({ key }, path, body),
    runAs,
    workOn,
    async tablesOf(jobId) {
      const sql = `SELECT count() AS tables FROM system.tables
        WHERE database = currentDatabase() AND position(name, {jobId: String}) > 0`;
      const [row] = await service.clickHouse.query<{ tables: number }>(sql, { jobId });
      return row?.tables ?? 0;
    },
    async untilPhase(phase, jobId) {
      await service.postgres.execute({ text: stopAt(phase) });
      await service.postgres.execute({
        text: "CREATE TRIGGER stop_at_phase BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION stop_at_phase()",
      });
      await workOff(service, jobId, folder, outward);
      await service.postgres.execute({ text: "DROP TRIGGER stop_at_phase ON jobs" });
      const [row] = await progressOf(jobId);
      if (row === undefined || JSON.parse(row.progress).phase !== phase) throw new Error(`not at ${phase}`);
    },
    async bytes({ id, account: accountId = account.id }) {
      const store = createFileStore({ folder });
      const chunks: Buffer[] = [];
      const range = { start: 0, end: Number.MAX_SAFE_INTEGER };
      for await (const chunk of store.read({ accountId, id }, range)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async drop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NOTES_TIMEOUT_MS = 60_000;

/** Stores contacts, numbered from 1, whose attribute `note` is a text of so many characters: files that are large. */
export async function storeNotes(
  { account: { number: account }, service: { postgres, bulk } }: Pick<ExportWorld, "account" | "service">,
  { contacts, characters }: { readonly contacts: number; readonly characters: number },
): Promise<void> {
  await ensureAttributes(postgres, [{ account, key: "note" }], 0);
  const signal = AbortSignal.timeout(NOTES_TIMEOUT_MS);
  const numbers = `FROM numbers(1, ${contacts})`;
  await bulk.run({
    sql: `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
      SELECT ${account}, number, leftPad(lower(hex(number)), 24, '0'), now64(3), now64(3), '0', 0, 0, 1 ${numbers}`,
    signal,
  });
  await bulk.run({
    sql: `INSERT INTO contact_fields_current (account, field, contact, kind, text, number, version, revision)
      SELECT ${account}, 'attributes.note', number, 'string', repeat('x', ${characters}), NULL, '0', 1 ${numbers}`,
    signal,
  });
}
