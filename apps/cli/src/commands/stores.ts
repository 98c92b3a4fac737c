import { userInfo } from "node:os";
import { isOfIdentity, sentenceOf } from "@headwater/guard/consistency/findLosses";
import { identityLosses } from "@headwater/guard/consistency/storeIdentity";
import { readOpenRecovery } from "@headwater/guard/consistency/storeRecoveries";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { catalogue, createLogWitness } from "@headwater/topics";
import type { Command } from "commander";
import { z } from "zod";
import { kafkaAccessOf } from "../addresses.ts";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import type { Row } from "../output/formats.ts";
import { showRows } from "../output/show.ts";
import { createPlan, digestOf, isNothing, type RecoveryPlan, type RecoveryPorts } from "../stores/plan.ts";
import { recover } from "../stores/recover.ts";
import { addGroup, addLeaf } from "./command.ts";
import { addStoresAdopt } from "./storesAdopt.ts";
import { addStoresRebuild } from "./storesRebuild.ts";

const COLUMNS = ["what", "where", "count", "next"];
const WRITES_DISPLAYED = 1_000;

const input = z.object({ confirm: z.string().optional(), reason: z.string().optional() });

export function addStores(program: Command, callOf: CallOf): void {
  const stores = addGroup(program, "stores", "Bring Postgres, ClickHouse and Kafka back in step.");
  addLeaf(
    stores,
    {
      usage: "recover",
      summary:
        "Recover after Postgres lost its last transactions: withdraw them from the other stores and replay the log. Without --yes, only shows the plan.",
      examples: [
        "headwater stores recover",
        'headwater stores recover --yes --confirm 3f0c… --reason "failover to a standby that was behind"',
      ],
      options: (command) =>
        addDryRun(addYes(command))
          .option("--confirm <digest>", "the digest of the plan that was shown; anything else is refused")
          .option("--reason <text>", "why, kept with the recovery"),
      run: recoverStores,
    },
    callOf,
  );
  addStoresAdopt(stores, callOf);
  addStoresRebuild(stores, callOf);
}

async function recoverStores(call: Call, _args: readonly string[], options: unknown): Promise<void> {
  const { connections, addresses, logger } = call;
  const log = createLogWitness({ ...kafkaAccessOf(addresses), clientId: "headwater-cli", logger });
  await connections.withPostgres((postgres) =>
    connections.withClickHouse((clickhouse) => run(call, { postgres, clickhouse, log }, parseWith(input, options))),
  );
}

async function run(call: Call, ports: RecoveryPorts, { confirm, reason }: z.output<typeof input>): Promise<void> {
  const { terminal, options } = call;
  const foreign = (await identityLosses(ports.postgres)).filter(isOfIdentity);
  if (foreign.length > 0) throw usageError(sentenceOf(foreign));
  const open = await readOpenRecovery(ports.postgres);
  const plan: RecoveryPlan = open === undefined ? await createPlan(ports) : JSON.parse(open.plan);
  if (open === undefined && isNothing(plan)) return terminal.say("Nothing is lost: there is nothing to recover.");
  const digest = digestOf(plan);
  if (!options.yes || options.dryRun) {
    showRows(call, COLUMNS, [...toRows(plan), ...(await toLogRows(call, ports))]);
    return terminal.say(`To do this: headwater stores recover --yes --confirm ${digest} --reason "…"`);
  }
  if (confirm !== digest)
    throw usageError(`PREVIEW_STALE: the plan has changed and has the digest ${digest}. Review it first.`);
  if (reason === undefined) throw usageError("--reason is required.");
  const onStep = (line: string) => terminal.say(line);
  const { epoch } = await recover(ports, { plan, reason, by: userInfo().username, open, onStep });
  terminal.say(`Recovery ${epoch} is complete. The processes resume by themselves and read again what is missing.`);
}

function toRows({ activities, commits, events, lost, writes, numbers, sends = [] }: RecoveryPlan): Row[] {
  const touched =
    lost.contacts.length + lost.memberships.length + lost.orders.length + lost.carts.length + lost.records.length;
  return [
    ...activities.map(({ topic, partition, from, rows }) => ({
      what: "activities in ClickHouse that Postgres does not know",
      where: `${topic}/${partition} from ${from}`,
      count: rows,

      next: "withdrawn, then written again from the log",
    })),
    row(
      "commits in Kafka above the stored offsets",
      "consumer groups",
      commits,
      "cleared, then read again from the log",
    ),
    row("change events that Postgres does not know", "changes.*", events, "withdrawn"),
    row(
      "the contacts, memberships, orders, carts and records they concern",
      "ClickHouse",
      touched,
      "emitted again from Postgres",
    ),
    ...writes.slice(0, WRITES_DISPLAYED).map(({ account, topic, key, at, isErasure }) => {
      const what = isErasure ? "a lost erasure" : "a lost write of /v2";
      return row(
        what,
        `account ${account}, ${topic}, ${key}, ${at}`,
        1,
        isErasure ? "ask for it again" : "write it again",
      );
    }),
    ...[...Map.groupBy(sends, ({ account, message }) => `account ${account}, message ${message}`)].map(([where, own]) =>
      row("sends that may have been handed over", where, own.length, "end as unknown: nobody sends them again unasked"),
    ),
    row("numbers continue above", "contact numbers", numbers.contact, "none is reused"),
  ];
}

function row(what: string, where: string, count: number, next: string): Row {
  return { what, where, count, next };
}

/** Returns how much of the log is read again, and what Kafka no longer keeps. */
async function toLogRows({ connections }: Call, { postgres }: RecoveryPorts): Promise<Row[]> {
  const offsets = await readOffsets(postgres, ["state"]);
  const topics = catalogue.filter(({ lane: stream }) => stream !== undefined).map(({ name }) => name);
  const rows: Row[] = [];
  await connections.withTopics(async (admin) => {
    for (const topic of topics) {
      for (const { partition, low, high } of await admin.watermarks(topic)) {
        const stored = offsets.find((one) => one.topic === topic && one.partition === partition)?.nextOffset ?? low;
        const where = `${topic}/${partition}`;
        if (high > stored) rows.push(row("frames of the log", where, high - Math.max(low, stored), "read again"));
        if (low > stored)
          rows.push(row("frames older than Kafka keeps", where, low - stored, "lost: headwater topics adopt"));
      }
    }
  });
  return rows;
}
