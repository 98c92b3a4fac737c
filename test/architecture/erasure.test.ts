import { describe, expect, test } from "vitest";
import { type ProjectFile, textFiles } from "./repository.ts";

const MIGRATIONS = "packages/postgres/src/migrations/";
const CLICKHOUSE_MIGRATIONS = "packages/clickhouse/src/migrations/";
/** Code that an erasure runs: in the call (its statements, and what hands contacts to them), and in its job. */
const ERASURE =
  /^(packages\/records\/src\/erasures\/|packages\/records\/src\/writes\/storeBatch|packages\/analytics\/src\/erasures\/)/;
const CLICKHOUSE_ERASURE = "packages/analytics/src/erasures/inClickHouse.ts";
/** Functions of other folders through which it deletes, and their tables. */
const CALLED: Readonly<Record<string, string>> = {
  deleteFileRow: "files",
  deleteUpload: "uploads",
  forgetSuppressed: "suppressions",
  setJobMetadata: "jobs",
  takeFormerIdentifiers: "former_identifiers",
};

/** Tables that an erasure leaves as they are, each with the reason. */
const STAYS: Readonly<Record<string, string>> = {
  account_log: "entries hold no value of a contact; a cID leads to nobody once the contact is gone",
  account_log_seals: "ids of entries, and MACs over them",
  alert_mails: "addresses of those who run the account, until a mail is handed over",
  alert_turns: "times of evaluations",
  alerts: "definitions of the account, with addresses of those who run it",
  applied_records: "ids of records, kept for 72 hours",
  attribute_changes: "numbers of accounts and transactions",
  attribute_clears: "definitions of the account",
  attribute_definitions: "definitions of the account",
  automation_templates: "contents of the account",
  audience_uses: "definitions of the account",
  audiences: "definitions of the account",
  batch_messages: "contents of the account",
  cleared_lists: "lists and versions of the account",
  clickhouse_rebuilds: "places in the log",
  clickhouse_witness: "names of tables",
  data_job_runs: "runs by their markers and jobs",
  data_jobs: "definitions of the account; secrets are sealed",
  ended_sends: "ids of sends and their ends, for some seconds",
  erased_identifiers: "what the erasure leaves: keyed hashes that bring nobody back",
  erased_keys: "what the erasure leaves: numbers, and keyed hashes of ids",
  erasure_secret: "the key of the hashes",
  event_triggers: "contents of the account",
  handover: "numbers of contacts, deleted a day after the log",
  import_counts: "counts",
  include_uses: "definitions of the account",
  includes: "content of the account",
  "intake.accounts": "the account",
  "intake.api_keys": "keys of the account",
  "intake.call_counts": "counts",
  "intake.partner_list_changes": "hashes of names of changes of lists, kept for 72 hours",
  "intake.partner_lists": "names of lists",
  job_leftovers: "ids of jobs and sealed secrets of storages, for a day at most",
  job_notices: "whom of the account to notify of a job, sealed; a row goes when it was sent",
  list_clears: "versions of lists",
  listeners: "definitions of the account",
  lists: "definitions of the account",
  log_batches: "counts",
  log_counts: "counts",
  losses: "places in the log",
  lost_counts: "counts",
  message_health: "letters for outcomes of sends, beside nobody",
  operator_log: "what operators did: places and counts",
  orchestration_audiences: "definitions of the account",
  orchestration_count_changes: "counts",
  orchestration_counts: "counts",
  orchestration_sweeps: "definitions of the account",
  orchestration_templates: "definitions of the account",
  orchestration_versions: "definitions of the account",
  orchestrations: "definitions of the account",
  outbox: "change events on their way: published and deleted within seconds, and the sinks leave out the erased",
  outcome_counts: "counts",
  pace: "counts",
  processes: "hosts and health of our own processes",
  products: "the catalogue of the account",
  programs: "definitions of the account",
  quarantined: "places in the log",
  receipt_counts: "counts",
  recurring_triggers: "definitions of the account",
  reject_counts: "counts",
  relay_progress: "places in the outbox",
  retained_values: "counts of values that the account's definitions keep, beside nobody",
  send_recalls: "times at which settings were changed",
  send_chunks: "numbers of contacts, dropped once they have been sent to",
  sftp_host_keys: "keys of servers",
  store_lags: "times at which ClickHouse was how far",
  store_marks: "places in ClickHouse",
  store_recoveries: "places in the log",
  store_identities: "names of clusters",
  intent_marks: "random tokens",
  lost_intents: "digests of addresses and numbers of contacts, for 30 days after a recovery",
  stream_offsets: "places in the log",
  supplement_clears: "versions of tables",
  supplement_indexes: "definitions of the account",
  supplement_updates: "times of tables",
  supplements: "definitions of the account",
  template_children: "definitions of the account",
  template_experiments: "definitions of the account, and what all contacts together did with them",
  template_runs: "times of runs and ids of their jobs, beside nobody",
  transports: "ways out of the account's messages; secrets are sealed",
  v2_writes: "versions of writes and the ids of their requests",
  webhooks: "addresses of the account; secrets are sealed",
  withdrawn_changes: "places in the log",
};

/** Tables of ClickHouse that hold nothing of a contact. */
const WITHOUT_CONTACTS: readonly string[] = ["confirmed_marks"];

const files = textFiles();
const sourcesOf = (all: readonly ProjectFile[], isPart: (path: string) => boolean) =>
  all.filter(({ path }) => isPart(path) && !path.endsWith(".test.ts")).map(({ text }) => text);

describe("an erasure", () => {
  test("empties or leaves every table of Postgres, and none is forgotten or named that is not there", () => {
    const tables = tablesCreatedBy(sourcesOf(files, (path) => path.startsWith(MIGRATIONS)));
    const written = tablesWrittenBy(sourcesOf(files, (path) => ERASURE.test(path)));
    expect(tables.length).toBeGreaterThan(50);
    const emptied = written.filter((table) => !(table in STAYS));
    expect(emptied).toEqual(expect.arrayContaining(["contacts", "orders", "rejects", "job_rejections", "files"]));
    expect([...emptied, ...Object.keys(STAYS)].sort()).toEqual([...tables].sort());
  });

  test("deletes from every table of ClickHouse that holds something of a contact", () => {
    const tables = tablesCreatedBy(sourcesOf(files, (path) => path.startsWith(CLICKHOUSE_MIGRATIONS)));
    const [code = ""] = sourcesOf(files, (path) => path === CLICKHOUSE_ERASURE);
    const [, listed = ""] = /const ofNumbers = \{\n([\s\S]*?)\n\} as const;/.exec(code) ?? [];
    const deleted = [...listed.matchAll(/^ {2}(\w+): /gm)].map(([, table]) => table);
    expect(deleted.length).toBeGreaterThan(10);
    expect([...deleted, ...WITHOUT_CONTACTS].sort()).toEqual([...tables].sort());
  });
});

test("the search finds a new table, one that was dropped or renamed, and what a statement deletes or empties", () => {
  const migrations = [
    "CREATE TABLE intake.a (\n  x int);\nCREATE TABLE IF NOT EXISTS b (y int);",
    "CREATE TABLE b2 (y int);\nEXCHANGE TABLES b AND b2;\nDROP TABLE IF EXISTS b2 SETTINGS x = 0;",
  ];
  expect(tablesCreatedBy(migrations)).toEqual(["intake.a", "b"]);
  const code = ["DELETE FROM intake.a WHERE x", "scrubbed AS (\n UPDATE b j SET y = 1)", "deleteFileRow(postgres, id)"];
  expect(tablesWrittenBy(code)).toEqual(["b", "files", "intake.a"]);
  expect(tablesWrittenBy(["ON CONFLICT (x) DO UPDATE SET y = 1", "FOR UPDATE), z"])).toEqual([]);
});

/** Names of the tables that migrations leave, in the order in which they were made. */
function tablesCreatedBy(migrations: readonly string[]): string[] {
  const tables = new Set<string>();
  for (const text of migrations) {
    for (const [, created, dropped] of text.matchAll(
      /^(?:CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)|DROP TABLE (?:IF EXISTS )?([\w.]+))/gm,
    )) {
      if (created !== undefined) tables.add(created);
      if (dropped !== undefined) tables.delete(dropped);
    }
  }
  return [...tables];
}

function tablesWrittenBy(code: readonly string[]): string[] {
  const found = code.flatMap((text) => [
    ...[...text.matchAll(/\bDELETE FROM ([a-z_.]+)/g)].map(([, table = ""]) => table),
    ...[...text.matchAll(/\bUPDATE ([a-z_.]+)(?: [a-z]+)? SET\b/g)].map(([, table = ""]) => table),
    ...Object.entries(CALLED).flatMap(([name, table]) => (text.includes(`${name}(`) ? [table] : [])),
  ]);
  return [...new Set(found)].sort();
}
