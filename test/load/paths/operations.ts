import { createSupplement } from "@headwater/records/supplements/supplements";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { STATE_ALONE, workOff } from "../measure/workOff.ts";
import { type OperationName, operationNames, SUPPLEMENT } from "../records/items.ts";
import { atLeast, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const RECORDS_PER_SECOND = 12_000;
/** No operation may take more than twice the time of a contact. */
const AIM_RATIO = 0.5;

/** Kafka to Postgres, each operation about the contacts that the first one made. */
export async function operations(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "operations", async (world) => {
    await defineTable(world);
    const turns = new Map(operationNames.map((name) => [name, noTurns()]));
    for (let round = 0; round < bench.rounds; round++) {
      for (const [operation, turn] of turns) await takeTurn(bench, world, { operation, round, turn });
    }
    const contacts = turns.get("upsertContact") ?? noTurns();
    return [...turns].filter(([name]) => name !== "upsertContact").map(([name, turn]) => toRow(name, turn, contacts));
  });
}

async function defineTable({ postgres, account }: World): Promise<void> {
  const indexes = [{ field: "year", type: "number" as const }];
  const flags = { contactObject: true, autogenerateIDs: false };
  await createSupplement(postgres, { account: account.number, key: SUPPLEMENT, indexes, createdAt: 0, ...flags });
}

interface Turns {
  readonly stretches: Stretch[];
  readonly peaksMib: number[];
}

function noTurns(): Turns {
  return { stretches: [], peaksMib: [] };
}

interface Turn {
  readonly operation: OperationName;
  readonly round: number;
  readonly turn: Turns;
}

async function takeTurn(bench: Bench, world: World, { operation, round, turn }: Turn): Promise<void> {
  const records = Math.ceil((bench.warmSeconds + bench.seconds) * RECORDS_PER_SECOND);
  const filling = { operation, records, firstContact: round * records, round: 0 };
  const { stretch, peakMib } = await workOff(bench, world, { filling, parts: STATE_ALONE });
  await world.postgres.execute({ text: "TRUNCATE outbox" });
  turn.stretches.push(stretch);
  turn.peaksMib.push(peakMib);
  bench.say(`${operation}: ${Math.round(stretch.events / stretch.seconds).toLocaleString("en")}/s`);
}

function toRow(operation: OperationName, { stretches, peaksMib }: Turns, contacts: Turns): Row {
  const figures = toFigures(stretches, Math.max(...peaksMib));
  const limit = toFigures(contacts.stretches);
  const ratio = figures.eventsPerSecond / limit.eventsPerSecond;
  return {
    path: "operations",
    what: `${operation} into Postgres`,
    ours: figures,
    limits: [{ name: "upsertContact, new contacts", figures: limit, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of upsertContact"),
  };
}
