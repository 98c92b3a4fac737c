import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import {
  adoptCluster,
  type ClusterAdoption,
  type ClusterSeen,
  planClusterAdoption,
} from "@headwater/guard/consistency/adoptCluster";
import { sentenceOf } from "@headwater/guard/consistency/findLosses";
import { lossesSeenByClickHouse, lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import { readGreatestNumbers } from "@headwater/guard/consistency/withdraw";
import { noteOperation } from "@headwater/intake/adoption/operatorLog";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createLogWitness, type LogWitness } from "@headwater/topics";
import type { Command } from "commander";
import { z } from "zod";
import { kafkaAccessOf } from "../addresses.ts";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import type { Row } from "../output/formats.ts";
import { showRows } from "../output/show.ts";
import { addGroup, addLeaf } from "./command.ts";

const COLUMNS = ["what", "before", "after"];

const input = z.object({ confirm: z.string().optional(), reason: z.string().min(1).optional() });

interface AdoptionPorts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly log: LogWitness;
}

export function addStoresAdopt(stores: Command, callOf: CallOf): void {
  const adopt = addGroup(stores, "adopt", "Continue in a store that did not write its data.");
  addLeaf(
    adopt,
    {
      usage: "postgres",
      summary:
        "Continue in another Postgres cluster, as after a restored dump or a major upgrade: its transaction numbers are raised above the former ones. Without --yes, only shows the plan.",
      examples: [
        "headwater stores adopt postgres",
        'headwater stores adopt postgres --yes --confirm 3f0c… --reason "moved to pg-c by pg_dump"',
      ],
      options: (command) =>
        addDryRun(addYes(command))
          .option("--confirm <digest>", "the digest of the plan that was shown; anything else is refused")
          .option("--reason <text>", "why, kept in the operators' log"),
      run: adoptPostgres,
    },
    callOf,
  );
}

async function adoptPostgres(call: Call, _args: readonly string[], options: unknown): Promise<void> {
  const { connections, addresses, logger } = call;
  const log = createLogWitness({ ...kafkaAccessOf(addresses), clientId: "headwater-cli", logger });
  await connections.withPostgres((postgres) =>
    connections.withClickHouse((clickhouse) => run(call, { postgres, clickhouse, log }, parseWith(input, options))),
  );
}

async function run(call: Call, ports: AdoptionPorts, { confirm, reason }: z.output<typeof input>): Promise<void> {
  const { terminal, options } = call;
  const plan = await planClusterAdoption(ports.postgres, await readSeen(ports));
  if (plan === undefined)
    return terminal.say("Postgres is the cluster that wrote its data: there is nothing to adopt.");
  const digest = digestOf(plan);
  if (!options.yes || options.dryRun) {
    showRows(call, COLUMNS, toRows(plan));
    return terminal.say(`To do this: headwater stores adopt postgres --yes --confirm ${digest} --reason "…"`);
  }
  if (confirm !== digest)
    throw usageError(`PREVIEW_STALE: the plan has changed and has the digest ${digest}. Review it first.`);
  if (reason === undefined) throw usageError("--reason is required.");
  await ports.postgres.transaction(async (transaction) => {
    const after = await adoptCluster(transaction, plan);
    const who = userInfo().username;
    await noteOperation(transaction, { who, action: "stores adopt postgres", digest, reason, before: plan, after });
  });
  terminal.say(`Postgres ${plan.found} is adopted.`);
  terminal.say(await whatIsLeft(ports));
}

/** Says what follows: a copy may be older than what others saw of the original, which is another command's. */
async function whatIsLeft({ postgres, clickhouse, log }: AdoptionPorts): Promise<string> {
  const left = [...(await lossesSeenByLog(postgres, log)), ...(await lossesSeenByClickHouse(postgres, clickhouse))];
  return left.length === 0 ? "The processes resume by themselves." : sentenceOf(left);
}

/** Reads what others know of the former clusters: which there were, and how far their transactions and numbers had come. */
async function readSeen({ clickhouse, log }: AdoptionPorts): Promise<ClusterSeen> {
  const commits = await log.commits();
  const ends = await log.publishedEnds();
  const positions = await log.publishedPlaces(
    ends.flatMap(({ topic, partition, low, end }) => (low < end ? [{ topic, partition, from: low, to: end }] : [])),
  );
  const stores = [...new Set(commits.flatMap(({ store }) => (store === undefined ? [] : [store])))];
  return { stores, places: positions, numbers: await readGreatestNumbers(clickhouse) };
}

/** Names a plan: what is confirmed is what was shown. */
function digestOf(plan: ClusterAdoption): string {
  return createHash("sha256").update(JSON.stringify(plan)).digest("hex").slice(0, 16);
}

function toRows({ found, former, baseBefore, baseAfter, waiting, passed, numbers }: ClusterAdoption): Row[] {
  return [
    { what: "system identifier", before: former.join(", "), after: found },
    { what: "added to transaction numbers", before: baseBefore, after: baseAfter },
    { what: "change events that wait in the outbox", before: waiting, after: waiting },
    { what: "of those, written here at or before the relay's mark", before: passed, after: 0 },
    { what: "contact numbers continue above", before: null, after: numbers.contact },
    { what: "revisions continue above", before: null, after: numbers.revision },
  ];
}
