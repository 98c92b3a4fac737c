import { userInfo } from "node:os";
import { GROUP_NAMES } from "@headwater/contracts";
import type { Adoption } from "@headwater/intake/adoption/adoption";
import { AdoptionStale, adoptPartition, countLostActivities } from "@headwater/intake/adoption/adoptLog";
import { readLost } from "@headwater/intake/adoption/lostCounts";
import { noteOperation } from "@headwater/intake/adoption/operatorLog";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { readRelayProgress } from "@headwater/postgres/outbox/outbox";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { catalogue } from "@headwater/topics";
import type { Command } from "commander";
import { z } from "zod";
import { digestOf, isChangeTopic, lostMessages, planAdoption } from "../adopt/planAdoption.ts";
import type { Call, CallOf } from "../call.ts";
import { confirm } from "../confirm.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import type { Row } from "../output/formats.ts";
import { showRows } from "../output/show.ts";
import { addLeaf } from "./command.ts";

const COLUMNS = ["topic", "partition", "what", "from", "to", "account", "operation", "hour", "records"];
const HOUR_MS = 3_600_000;
const HISTORY_LOST =
  "ClickHouse lacks change events that the log has lost. Nothing is read from it until `headwater stores rebuild clickhouse` has run.";

const schema = z.object({ reason: z.string().min(1).optional(), confirm: z.string().optional() });

export function addTopicsAdopt(topics: Command, callOf: CallOf): void {
  addLeaf(
    topics,
    {
      usage: "adopt [topic]",
      summary: "Resume partitions whose log was truncated, recreated or expired. Shows first which records are lost.",
      examples: [
        "headwater topics adopt --dry-run",
        'headwater topics adopt intake.records --yes --confirm 5c1f… --reason "power cut of 3 May"',
      ],
      options: (command) =>
        addDryRun(addYes(command))
          .option("--reason <text>", "why, kept in the operators' log")
          .option("--confirm <digest>", "the digest of the preview; a stale one is refused"),
      run: (call, [topic], input) => adopt(call, topic, parseWith(schema, input)),
    },
    callOf,
  );
}

async function adopt(call: Call, topic: string | undefined, provided: z.output<typeof schema>): Promise<void> {
  const plans = await call.connections.withPostgres((postgres) => plan(call, postgres, topic));
  if (plans.length === 0)
    return call.terminal.say("Every partition still has the log that was read: there is nothing to adopt.");
  const digest = digestOf(plans);
  showRows(call, COLUMNS, await call.connections.withPostgres((postgres) => preview(postgres, plans)));
  call.terminal.say(`digest ${digest}`);
  if (call.options.dryRun) return;
  const { reason } = provided;
  if (reason === undefined) throw usageError("--reason is required: the records that the log lost are skipped.");
  if (provided.confirm !== undefined && provided.confirm !== digest) throw stale();
  if (call.options.yes && provided.confirm === undefined) throw usageError("--yes needs --confirm <digest>.");
  if (!(await confirm(call, `Adopt ${plans.length} partitions as they are?`)))
    return call.terminal.say("Nothing was changed.");
  await call.connections.withPostgres((postgres) => carryOut(postgres, plans, { reason, digest }));
  call.terminal.say(`${plans.length} partitions adopted.`);
  if (plans.some(({ isHistoryLost }) => isHistoryLost === true)) call.terminal.say(HISTORY_LOST);
}

async function plan(call: Call, postgres: Postgres, wanted: string | undefined): Promise<readonly Adoption[]> {
  const offsets = await readOffsets(postgres, GROUP_NAMES);
  const progress = await readRelayProgress(postgres);
  const names = catalogue.map(({ name }) => name).filter((name) => wanted === undefined || name === wanted);
  if (names.length === 0) throw usageError(`Topic ${wanted} does not exist.`);
  const plans: Adoption[] = [];
  const { connections } = call;
  await connections.withTopics((admin) =>
    connections.withLog(async (log) => {
      for (const topic of names) {
        for (const watermarks of await admin.watermarks(topic)) {
          const rows = offsets.filter((row) => row.topic === topic && row.partition === watermarks.partition);
          const published = progress.offsets[topic]?.[watermarks.partition];
          const created = await planAdoption({ topic, watermarks, log }, rows, { nowMs: Date.now(), published });
          if (created !== undefined) plans.push(created);
        }
      }
    }),
  );
  return plans.toSorted((left, right) =>
    left.topic === right.topic ? left.partition - right.partition : left.topic < right.topic ? -1 : 1,
  );
}

/** Shows how each group moves, and what was counted and is lost. */
async function preview(postgres: Postgres, plans: readonly Adoption[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const adoption of plans) {
    const { topic, partition, kind, firstOffset } = adoption;
    rows.push({ topic, partition, what: kind, from: firstOffset });
    for (const { group, from, to } of adoption.groups) rows.push({ topic, partition, what: group, from, to });
    rows.push(...unreadRows(adoption), ...(await unwrittenRows(postgres, adoption)));
    if (adoption.groups.every(({ group }) => group !== "accounting")) continue;
    for (const { account, operation, hour, records } of await readLost(postgres, adoption)) {
      rows.push({
        topic,
        partition,
        what: "lost",
        account,
        operation,
        hour: new Date(hour * HOUR_MS).toISOString(),
        records,
      });
    }
  }
  return rows;
}

/** Change events that a group will never read. Postgres has what they said, ClickHouse and products do not. */
function unreadRows(adoption: Adoption): Row[] {
  const { topic, partition, groups } = adoption;
  if (!isChangeTopic(adoption)) return [];
  return groups
    .map((row) => ({
      topic,
      partition,
      what: `lost to ${row.group}`,
      records: lostMessages(adoption, row) ?? "unknown",
    }))
    .filter(({ records }) => records !== 0);
}

/** Activities that were applied and that ClickHouse will never be given. */
async function unwrittenRows(postgres: Postgres, adoption: Adoption): Promise<Row[]> {
  const records = await countLostActivities(postgres, adoption);
  return records === 0
    ? []
    : [{ topic: adoption.topic, partition: adoption.partition, what: "lost to activities", records }];
}

interface Decided {
  readonly reason: string;
  readonly digest: string;
}

/** Partition by partition, each with its row of the operators' log: a command that is broken off goes on with those that are left. */
async function carryOut(postgres: Postgres, plans: readonly Adoption[], { reason, digest }: Decided): Promise<void> {
  const who = userInfo().username;
  for (const adoption of plans) {
    try {
      await postgres.transaction(async (transaction) => {
        const after = await adoptPartition(transaction, adoption, reason);
        await noteOperation(transaction, { who, action: "topics adopt", digest, reason, before: adoption, after });
      });
    } catch (error) {
      if (error instanceof AdoptionStale) throw stale();
      throw error;
    }
  }
}

function stale() {
  return usageError("PREVIEW_STALE: the plan has changed since the preview. Review it again.");
}
