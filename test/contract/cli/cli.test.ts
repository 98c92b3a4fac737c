import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findAccount } from "@headwater/accounts/accounts/accounts";
import { findApiKey } from "@headwater/accounts/accounts/apiKeys";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { type Account, PROJECTOR_GROUPS, topology } from "@headwater/contracts";
import { hashApiKey } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { PROCESS_NAMES, type ProcessName } from "@headwater/postgres/processes/processes";
import { FIRST_GENERATION, openOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { writeContact } from "@headwater/records/contacts/writeContact";
import { writeState } from "@headwater/records/writes/writeState";
import { useServices } from "@headwater/testing";
import { createTopicAdmin } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptOf } from "../../../infra/src/index.ts";
import { seedDeadLetters } from "../intake/letters.ts";
import { type Fresh, freshClickHouse, freshPostgres, logger } from "../stores/fresh.ts";

const COMMAND = scriptOf("cli");
const services = useServices();
let postgres: Fresh<Postgres>;
let clickHouse: Awaited<ReturnType<typeof freshClickHouse>>;
let home: string;

beforeAll(async () => {
  postgres = await freshPostgres(false);
  clickHouse = await freshClickHouse();
  home = await mkdtemp(join(tmpdir(), "headwater-cli-"));
});

afterAll(async () => {
  await postgres.drop();
  await clickHouse.drop();
  await rm(home, { recursive: true });
});

/** Runs the command in this process. */
async function headwater(args: readonly string[], input = "", env: Record<string, string> = {}) {
  const { terminal, out, said } = createMemoryTerminal({ input });
  const code = await runCommand({ args, env: { ...environment(), ...env }, terminal, connect });
  return { code, out: out(), err: said() };
}

function environment(): Record<string, string> {
  return {
    HEADWATER_HOME: home,
    POSTGRES_URL: postgres.url,
    CLICKHOUSE_URL: clickHouse.url,
    KAFKA_BROKERS: services.kafkaBrokers,
    SCHEMA_REGISTRY_URL: services.schemaRegistryUrl,
  };
}

/** Runs the command as a shell would. */
async function inShell(args: readonly string[], input: string) {
  const env = { PATH: process.env.PATH ?? "", XDG_CACHE_HOME: home, NODE_NO_WARNINGS: "1", ...environment() };
  const child = spawn(process.execPath, [COMMAND, ...args], { env });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, err };
}

async function json(args: readonly string[], input = "") {
  const { code, out, err } = await headwater([...args, "--json"], input);
  expect({ code, err, ...(code !== 0 && { out }) }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

test("migrate applies every migration once and says which", async () => {
  const first = await json(["migrate"]);
  expect(first).toContainEqual({ store: "postgres", migration: "001_intake" });
  expect(await json(["migrate"])).toEqual([]);
});

test("topics apply leaves a cluster that plan finds nothing to do on", async () => {
  const asked = await headwater(["topics", "apply"]);
  expect([0, 2]).toContain(asked.code);
  expect((await headwater(["topics", "apply", "--yes"])).code).toBe(0);
  const steps: { step: string }[] = await json(["topics", "plan", "--check"]);
  expect(steps.length).toBeGreaterThan(0);
  expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(["same"]));
});

test("a new account's key works, is shown once, and only its hash is stored", async () => {
  const created = await json(["accounts", "create", "--name", "first"]);
  expect(created).toEqual({
    accountId: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: "first",
    apiKey: expect.stringMatching(/^hw_/),
  });
  const found = await findApiKey(postgres.store, hashApiKey(created.apiKey));
  expect(found?.account.id).toBe(created.accountId);
  expect(found?.key.scopes).toEqual(["read", "write", "admin", "intake"]);
  const again = await headwater(["accounts", "create", "--name", "first", "--if-missing", "--json"]);
  expect(JSON.parse(again.out)).toEqual({ accountId: created.accountId, name: "first" });
  expect((await headwater(["accounts", "create", "--name", "first"])).code).toBe(5);
  const other = ["accounts", "create", "--name", "other", "--id", created.accountId];
  expect(await headwater(other)).toMatchObject({ code: 5, out: "" });
});

test("settings are set member by member and by file, and a wrong one changes nothing", async () => {
  const { accountId } = await json(
    ["accounts", "create", "--name", "settings", "--settings", "-"],
    '{"currency":"GBP"}',
  );
  expect(await json(["accounts", "set", accountId, "/limits/readPerSecond", "75"])).toMatchObject({
    currency: "GBP",
    limits: { readPerSecond: 75, intakePerSecond: 20_000 },
  });
  const file = join(home, "changes.json");
  await writeFile(file, '{"timezone":"Europe/London","limits":null}');
  const dry = await json(["accounts", "set", accountId, "-f", file, "--dry-run"]);
  expect(dry).toMatchObject({ timezone: "Europe/London" });
  expect(await json(["accounts", "get", accountId])).toMatchObject({ timezone: "UTC" });
  await json(["accounts", "set", accountId, "-f", file]);
  expect(await headwater(["accounts", "set", accountId, "timezone", "Nowhere"])).toMatchObject({
    code: 5,
    out: "",
    err: expect.stringContaining("/timezone: `timezone` is not the IANA name of a time zone."),
  });
  expect(await json(["accounts", "get", "settings"])).toMatchObject({
    accountId,
    timezone: "Europe/London",
    limits: { readPerSecond: 50 },
  });
});

test("stored addresses are rewritten once: previewed, killed in the middle, and ended by the next run", async () => {
  const { accountId } = await json(["accounts", "create", "--name", "former"]);
  const account = await findAccount(postgres.store, accountId);
  if (account === undefined) throw new Error("the account is not there");
  const people = Array.from({ length: 600 }, (_, person) => 6_601_000_000 + person);
  const phones = people.flatMap((phone, index) => (index % 10 === 0 ? [`0${phone}`, `+43${phone}`] : [`0${phone}`]));
  await storeContacts(account, phones);
  await json(["accounts", "set", accountId, "country", "AT"]);
  const [merged, rewritten] = [60, 540];
  const canonicalize = ["accounts", "canonicalize", "former"];
  const counts = async (...options: string[]) => {
    const rows: { what: string; contacts: number }[] = await json([...canonicalize, ...options]);
    return Object.fromEntries(rows.map(({ what, contacts }) => [what, contacts]));
  };
  const stored = async () => {
    const { out } = await headwater(["status", "--json"]);
    const parts: { part: string; state: string; detail: string }[] = JSON.parse(out);
    return parts.find(({ part }) => part === "stored addresses");
  };
  const command = expect.stringContaining("run headwater accounts canonicalize <account> for former");
  expect(await stored()).toMatchObject({ state: "behind", detail: command });
  expect(await counts("--dry-run")).toEqual({ rewritten, merged, apart: 0, invalid: 0 });
  expect(await stored()).toMatchObject({ state: "behind" });
  expect(await mergesOf(account)).toBe(0);
  const env = { PATH: process.env.PATH ?? "", NODE_NO_WARNINGS: "1", ...environment() };
  const child = spawn(process.execPath, [COMMAND, ...canonicalize, "--yes", "--verbose"], { env });
  for await (const said of child.stderr) if (String(said).includes("contacts so far")) child.kill("SIGKILL");
  const cut = (await mergesOf(account)) ?? 0;
  expect(cut).toBeGreaterThan(0);
  // A fast process may have ended before the signal.
  if (cut < merged) expect(await stored()).toMatchObject({ state: "behind" });
  await counts("--yes");
  expect(await stored()).toMatchObject({ state: "ok" });
  const before = await writesOf(account);
  expect(await counts("--yes")).toEqual({ rewritten: 0, merged: 0, apart: 0, invalid: 0 });
  expect(await writesOf(account)).toEqual(before);
  expect(await mergesOf(account)).toBe(merged);
  const text = `SELECT count(*)::int AS live, count(*) FILTER (WHERE doc LIKE '%"identifiers":["phone","+43%')::int AS shown
    FROM contacts WHERE account = $1 AND merged_into IS NULL`;
  const all = { live: people.length, shown: people.length };
  expect(await postgres.store.query({ text }, [account.number])).toEqual([all]);
});

/** Stores a contact for each phone number, as a version without the account's country did. */
async function storeContacts(account: Account, phones: readonly string[]): Promise<void> {
  await postgres.store.transaction((transaction) =>
    writeState({ transaction, nowMs: Date.now() }, account, {
      kind: "v2",
      recordId: `${account.id}:0:0`,
      fold: (state, { version }) => {
        const changeEvents = phones.flatMap((phone, index) => {
          const own = { account, version, recordId: `${account.id}${index}:0:0` };
          const written = writeContact(
            state,
            { contact: { identifiers: { phone }, canBeCreated: true }, lists: {} },
            own,
          );
          if (written.kind !== "written") throw new Error(written.kind);
          return written.changeEvents;
        });
        return { changeEvents };
      },
    }),
  );
}

/** Reads what a write of contacts would change: their versions, and how many change events there were. */
async function writesOf({ number }: Account) {
  const text =
    "SELECT md5(string_agg(c::text, ',' ORDER BY c.number)) AS contacts FROM contacts c WHERE c.account = $1";
  return postgres.store.query({ text }, [number]);
}

async function mergesOf({ number }: Account): Promise<number | undefined> {
  const text = "SELECT count(*)::int AS merges FROM merges WHERE account = $1";
  const [row] = await postgres.store.query<{ merges: number }>({ text }, [number]);
  return row?.merges;
}

test("what an operator does to an account and its keys stands in the account's log, under the operator's name", async () => {
  const { accountId } = await json(["accounts", "create", "--name", "logged"]);
  await json(["accounts", "set", accountId, "partners", '{"listsync":{"secrets":["a-planted-secret"]}}']);
  const built = await json(["apikeys", "create", "--name", "planted", "--scopes", "intake", "--account", accountId]);
  expect((await headwater(["apikeys", "revoke", built.id, "--account", accountId, "--yes"])).code).toBe(0);
  expect((await headwater(["accounts", "set", accountId, "timezone", "Nowhere"])).code).toBe(5);
  const text = `SELECT l.category, l.action, l.target, l.actor_name, l.message FROM account_log l
    JOIN intake.accounts a ON a.number = l.account WHERE a.id = $1 ORDER BY l.at, l.id`;
  const entries = await postgres.store.query<Record<string, string | null>>({ text }, [accountId]);
  const by = { category: "System", actor_name: userInfo().username };
  expect(entries).toMatchObject([
    { ...by, action: "createAccount", target: accountId },
    { ...by, action: "updateAccount", target: null },
    { ...by, action: "createApikey", target: built.id },
    { ...by, action: "deleteApikey", target: built.id },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/planted|hw_/);
});

test("secrets of partners are set like other members and are never shown again", async () => {
  const secrets = ["first-secret-1234", "second-secret-5678"];
  const { accountId } = await json(["accounts", "create", "--name", "partners"]);
  const patch = JSON.stringify({ partners: { listsync: { secrets }, cohortsync: { canBeCreated: true } } });
  const view = {
    accountId,
    partners: {
      cohortsync: { canBeCreated: true },
      listsync: {
        secrets: [
          { set: true, last4: "1234" },
          { set: true, last4: "5678" },
        ],
      },
    },
  };
  expect(await json(["accounts", "set", "partners", "-f", "-"], patch)).toMatchObject(view);
  expect(await json(["accounts", "set", "partners", "timezone", "Europe/London"])).toMatchObject(view);
  expect(await json(["accounts", "get", "partners"])).toMatchObject(view);
  for (const words of [["ls"], ["ls", "-o", "csv"], ["get", "partners"], ["get", "partners", "-o", "csv"]]) {
    const { out, err } = await headwater(["accounts", ...words]);
    expect([words, out.includes("secret-"), err.includes("secret-")]).toEqual([words, false, false]);
  }
  const stored = await findAccount(postgres.store, String(accountId));
  expect(stored?.settings.partners.listsync.secrets).toEqual(secrets);
});

test("what does not exist is 4, what is typed wrong is 2, what is away is 1", async () => {
  expect((await headwater(["accounts", "get", "nobody"])).code).toBe(4);
  expect((await headwater(["accounts", "frobnicate"])).code).toBe(2);
  expect((await headwater(["accounts", "ls"], "", { POSTGRES_URL: "postgres://127.0.0.1:1/none" })).code).toBe(1);
  const unset = await headwater(["accounts", "ls"], "", { POSTGRES_URL: "" });
  expect(unset).toMatchObject({ code: 2, out: "", err: expect.stringContaining("POSTGRES_URL is not set") });
});

test("addresses come from connection.json when the environment has none", async () => {
  await writeFile(join(home, "connection.json"), JSON.stringify({ postgresUrl: postgres.url, apiKey: null }));
  const listed = await headwater(["accounts", "ls", "-o", "csv", "--fields", "name"], "", { POSTGRES_URL: "" });
  await rm(join(home, "connection.json"));
  expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/^name\n/) });
});

interface Part {
  readonly part: string;
  readonly state: string;
}

/** Returns what `status` answers once all groups have read their topics: other tests write to them, and nobody reads for this database. */
async function statusAtEnds(args: readonly string[] = []) {
  const topics = createTopicAdmin({ brokers: services.kafkaBrokers.split(","), clientId: "test", logger });
  for (const { group, reads } of topology)
    for (const topic of reads)
      for (const { partition, high } of await topics.watermarks(topic)) {
        const key = { group, topic, generation: FIRST_GENERATION, partition };
        const end = { nextOffset: high, lastRecordId: null, greatestTime: 0, outboxPosition: 0, windowFrom: high };
        await openOffset(postgres.store, key, high);
        await postgres.store.transaction((transaction) => setOffset(transaction, key, end));
      }
  await topics.close();
  const { code, out } = await headwater(["status", "--json", ...args]);
  const parts: Part[] = JSON.parse(out);
  return { code, parts, ill: parts.filter(({ state }) => !["ok", "behind", "unknown"].includes(state)) };
}

test("status looks at everything, and one part away or process missing makes it exit 1", async () => {
  expect((await headwater(["topics", "apply", "--yes"])).code).toBe(0);
  const heartbeatOf = (name: ProcessName) => {
    const parts = name === "projector" ? [...PROJECTOR_GROUPS, "relay", "redriver"] : [];
    return createHeartbeat({ session: postgres.store, name, parts, checks: () => ({}), logger });
  };
  const heartbeats = PROCESS_NAMES.map(heartbeatOf);
  for (const heartbeat of heartbeats) await heartbeat.start?.();
  // Partitions that were just made have no leaders for a moment.
  await expect.poll(() => statusAtEnds()).toMatchObject({ ill: [], code: 0 });
  const [sender] = heartbeats.slice(PROCESS_NAMES.indexOf("sender"));
  await sender?.stop?.();
  const without = await headwater(["status", "--json"]);
  expect(without.code).toBe(1);
  expect(JSON.parse(without.out)).toContainEqual(expect.objectContaining({ part: "process sender", state: "missing" }));
  expect(await statusAtEnds(["--without", "sender"])).toMatchObject({ ill: [], code: 0 });
  expect((await headwater(["status", "--without", "nobody"])).code).toBe(2);
  const restarted = heartbeatOf("sender");
  heartbeats.push(restarted);
  await restarted.start?.();
  await expect.poll(() => statusAtEnds()).toMatchObject({ ill: [], code: 0 });
  const { parts } = await statusAtEnds();
  expect(Object.fromEntries(parts.map(({ part, state }) => [part, state]))).toMatchObject({
    postgres: "ok",
    clickhouse: "ok",
    registry: "ok",
    topics: "ok",
    ingress: "unknown",
  });
  const broken = await headwater(["status", "--json"], "", { SCHEMA_REGISTRY_URL: "http://127.0.0.1:1" });
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.out)).toContainEqual(expect.objectContaining({ part: "registry", state: "away" }));
  for (const heartbeat of heartbeats) await heartbeat.stop?.();
});

test("a process of the command reads standard input, writes data alone to standard output, and ends by itself", async () => {
  const result = await inShell(
    ["accounts", "create", "--name", "shell", "--settings", "-", "--json"],
    '{"currency":"EUR"}',
  );
  expect(result).toMatchObject({ code: 0, err: "Store the key now: it is not shown again.\n" });
  expect(await json(["accounts", "get", JSON.parse(result.out).accountId])).toMatchObject({ currency: "EUR" });
  expect(await inShell(["accounts", "get", "nobody"], "")).toMatchObject({ code: 4, out: "" });
  expect(await inShell(["topics", "plan", "-o", "ndjson"], "")).toMatchObject({ code: 0, err: "" });
});

const AT = Date.UTC(2026, 0, 9, 22);

test("dead letters are listed, grouped, shown, tried, redriven and discarded from the shell, bucket of nobody's included", async () => {
  const { accountId } = await json(["accounts", "create", "--name", "letters"]);
  const account = await findAccount(postgres.store, accountId);
  if (account === undefined) throw new Error("the account is there");
  const nobody = { ...account, number: 0 };
  const unreadable = { operation: "", payload: '"AAAA"', requestId: "", code: "VALIDATION_ERROR" };
  await seedDeadLetters(postgres.store, account, [
    { recordId: "r1:0:0", at: AT },
    { recordId: "r2:0:0", at: AT + 1, more: { code: "VALIDATION_ERROR" } },
  ]);
  await seedDeadLetters(postgres.store, nobody, [{ recordId: "intake.records:0:7", at: AT, more: unreadable }]);
  const whose = ["--account", "letters"];

  const listed: { id: string }[] = await json(["deadletters", "ls", ...whose]);
  expect(listed.map(({ id }) => id)).toEqual(["r2:0:0", "r1:0:0"]);
  expect(await json(["deadletters", "ls", ...whose, "--limit", "1", "--fields", "id"])).toEqual([{ id: "r2:0:0" }]);
  expect(await json(["deadletters", "group", ...whose])).toMatchObject([{ count: 1 }, { count: 1 }]);
  expect(await json(["deadletters", "show", "r1:0:0", ...whose])).toMatchObject({
    payload: { identifiers: { email: "ann@x.org" } },
    status: "open",
  });
  expect((await headwater(["deadletters", "get", "none", ...whose])).code).toBe(4);
  expect((await headwater(["deadletters", "ls"])).code).toBe(2);
  expect(await json(["deadletters", "ls", "--undecodable"])).toMatchObject([{ payload: "AAAA" }]);

  const patch = '[{"op":"add","path":"/canBeUpdated","value":true}]';
  const redrive = ["deadletters", "redrive", "r1:0:0", ...whose, "--patch", "-"];
  expect(await json([...redrive, "--dry-run"], patch)).toMatchObject([{ id: "r1:0:0", path: "/attributes" }]);
  expect((await headwater([...redrive, "--yes"], '[{"op":"add"}]')).code).toBe(5);
  expect((await headwater(["deadletters", "redrive", ...whose, "--yes"])).code).toBe(2);
  expect((await headwater(["deadletters", "redrive", "--undecodable", "--yes"])).code).toBe(2);
  const { jobId, selected } = await json([...redrive, "--yes"], patch);
  expect(selected).toBe(1);
  expect(await json(["deadletters", "redrives", ...whose])).toMatchObject([{ jobId, state: "waits", written: 0 }]);

  const discard = ["deadletters", "discard", ...whose, "--code", "VALIDATION_ERROR", "--reason", "a test"];
  expect((await headwater(discard)).code).toBe(2);
  expect(await json([...discard, "--dry-run"])).toEqual({ selected: 1 });
  expect(await json([...discard, "--yes"])).toEqual({ discarded: 1 });
  const bucket = ["deadletters", "discard", "--undecodable", "intake.records:0:7", "--reason", "a test", "--yes"];
  expect(await json(bucket)).toEqual({ discarded: 1 });
});
