import { userInfo } from "node:os";
import { findStoreLosses } from "@headwater/guard/clickHouseWitness/findStoreLosses";
import { readHeldStore } from "@headwater/guard/clickHouseWitness/heldStore";
import { readKnownStore } from "@headwater/guard/clickHouseWitness/knownStore";
import { beginRebuild, readOpenRebuild } from "@headwater/guard/clickHouseWitness/rebuilds";
import type { Command } from "commander";
import { z } from "zod";
import { needed } from "../addresses.ts";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import type { Row } from "../output/formats.ts";
import { showRows } from "../output/show.ts";
import {
  digestOf,
  type FirstStored,
  goneOf,
  type PlanPorts,
  planRebuild,
  REPLAYED_TOPICS,
  type RebuildPlan,
} from "../stores/rebuild/planRebuild.ts";
import { rebuildClickHouse } from "../stores/rebuild/rebuildClickHouse.ts";
import { addGroup, addLeaf } from "./command.ts";

const COLUMNS = ["what", "where", "held", "again", "gone"];
const WAIT_MS_MAX = 86_400_000;

const FOREIGN =
  "ClickHouse holds the data of another installation, or of this one from before a recovery. Let CLICKHOUSE_URL name the right server, or drop the database first: a rebuild deletes nothing that it does not know.";

const input = z.object({ confirm: z.string().optional(), reason: z.string().min(1).optional() });
type Input = z.output<typeof input>;

export function addStoresRebuild(stores: Command, callOf: CallOf): void {
  const rebuild = addGroup(stores, "rebuild", "Make a store again from the others.");
  addLeaf(
    rebuild,
    {
      usage: "clickhouse",
      summary:
        "Make ClickHouse again from Postgres and the log after it was emptied, replaced or put back to an older copy. Without --yes, only shows the plan. Continues where it was when run again.",
      examples: [
        "headwater stores rebuild clickhouse",
        'headwater stores rebuild clickhouse --yes --confirm 3f0c… --reason "the disk of ch-1 failed"',
      ],
      options: (command) =>
        addDryRun(addYes(command))
          .option("--confirm <digest>", "the digest of the plan that was shown; anything else is refused")
          .option("--reason <text>", "why, kept with the rebuild"),
      run: (call, _args, options) => runRebuild(call, parseWith(input, options)),
    },
    callOf,
  );
}

async function runRebuild(call: Call, options: Input): Promise<void> {
  const firstStored = await readFirstStored(call);
  await call.connections.withPostgres((postgres) =>
    call.connections.withClickHouse((clickhouse) =>
      run(call, { postgres, clickhouse, firstKept: firstStored }, options),
    ),
  );
}

async function run(call: Call, ports: PlanPorts, { confirm, reason }: Input): Promise<void> {
  const { terminal, options, addresses, logger } = call;
  const open = await readOpenRebuild(ports.postgres);
  if (open === undefined && !(await isLost(ports)))
    return terminal.say("ClickHouse holds everything that it has confirmed: there is nothing to rebuild.");
  const plan: RebuildPlan = open === undefined ? await planRebuild(ports) : JSON.parse(open.plan);
  if (open === undefined && plan.isForeign) throw usageError(FOREIGN);
  const digest = digestOf(plan);
  if (!options.yes || options.dryRun) {
    showRows(call, COLUMNS, toRows(plan));
    return terminal.say(`To do this: headwater stores rebuild clickhouse --yes --confirm ${digest} --reason "…"`);
  }
  if (confirm !== digest)
    throw usageError(`PREVIEW_STALE: the plan has changed and has the digest ${digest}. Review it first.`);
  if (open === undefined && reason === undefined) throw usageError("--reason is required.");
  const by = userInfo().username;
  const begun = open ?? (await beginRebuild(ports.postgres, { plan: JSON.stringify(plan), reason: reason ?? "", by }));
  const { events } = await rebuildClickHouse(
    {
      ...ports,
      clickhouseUrl: needed(addresses, "CLICKHOUSE_URL"),
      cluster: addresses.CLICKHOUSE_CLUSTER,
      logger,
      onStep: (line) => terminal.say(line),
      signal: AbortSignal.timeout(WAIT_MS_MAX),
    },
    begun,
  );
  const emitted = plan.emitsState ? ` ${events} change events came from Postgres, and history begins now.` : "";
  terminal.say(`Rebuild ${begun.epoch} is complete. Reads of ClickHouse resume by themselves.${emitted}`);
}

async function isLost({ postgres, clickhouse }: PlanPorts): Promise<boolean> {
  const known = await readKnownStore(postgres);
  return findStoreLosses(known, await readHeldStore(clickhouse, known.identity ?? "")).length > 0;
}

async function readFirstStored({ connections }: Call): Promise<FirstStored> {
  const lows = new Map<string, readonly { readonly partition: number; readonly low: number }[]>();
  await connections.withTopics(async (admin) => {
    for (const topic of REPLAYED_TOPICS) lows.set(topic, await admin.watermarks(topic));
  });
  return lows;
}

function toRows({ isCopy, streams, emitsState }: RebuildPlan): Row[] {
  const frames = streams.map((stream): Row => {
    const where = `${stream.topic}/${stream.partition}`;
    const again = stream.target - stream.start;
    return { what: stream.group, where, held: stream.held, again, gone: goneOf(stream) };
  });
  const tables = isCopy ? "an older copy of ours: its rows stay" : "nothing of ours: emptied first";
  const state = emitsState
    ? "from Postgres; history before the rebuild is a hole, and `asOf` in it answers 422"
    : "from the log, as all of its history";
  return [{ what: "ClickHouse", where: tables }, ...frames, { what: "present state", where: state }];
}
