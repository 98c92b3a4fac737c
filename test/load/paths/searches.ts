import { z } from "zod";
import { toFigures } from "../measure/tally.ts";
import { median, toStretch } from "../measure/times.ts";
import { atLeast, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import { type Search, searchesByHand } from "../service/searchesByHand.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import type { ServiceTargets } from "./serviceTargets.ts";

/** Each is asked so often, after once that does not count. */
const TURNS = 15;
const AIM_RATIO = 0.8;
const answer = z.object({ data: z.array(z.object({ cID: z.string() })) });

/** Contacts by attribute and list over a million, next to the page's numbers from ClickHouse and its rows from Postgres by hand. */
export async function searches(bench: Bench, world: World, targets: ServiceTargets): Promise<Row[]> {
  const rows: Row[] = [];
  for (const search of searchesByHand) rows.push(await compare(bench, world, { ...targets, search }));
  return rows;
}

type Run = ServiceTargets & { readonly search: Search };

async function compare(bench: Bench, world: World, { search, ours, app }: Run): Promise<Row> {
  const [mine, byHand]: [number[], number[]] = [[], []];
  const path = await search.path(bench, world);
  for (let turn = 0; turn <= TURNS; turn++) {
    const ourTurn = await timed(async () => {
      const { data } = answer.parse(await callService(world, { port: ours.port, path }));
      return data.map(({ cID }) => cID);
    });
    const theirTurn = await timed(() => search.byHand(world));
    refuseDifference(search, ourTurn.cids, theirTurn.cids);
    if (turn === 0) continue;
    mine.push(ourTurn.ms);
    byHand.push(theirTurn.ms);
  }
  const [ourMs, theirMs] = [median(mine), median(byHand)];
  const ratio = theirMs / ourMs;
  bench.say(`searches, ${search.name}: ${ourMs.toFixed(1)} ms, by hand ${theirMs.toFixed(1)} ms`);
  return {
    path: "searches",
    what: search.name,
    ours: toFigures([toStretch(mine)], app.peakMemoryMib()),
    limits: [{ name: "ClickHouse and Postgres by hand", figures: toFigures([toStretch(byHand)]), ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of the bare query"),
  };
}

async function timed(ask: () => Promise<string[]>): Promise<{ readonly ms: number; readonly cids: readonly string[] }> {
  const startedAtMs = performance.now();
  const cids = await ask();
  return { ms: performance.now() - startedAtMs, cids };
}

function refuseDifference({ name }: Search, ours: readonly string[], byHand: readonly string[]): void {
  if (ours.length > 0 && ours.join() === byHand.join()) return;
  throw new Error(
    `${name}: ours answers ${ours.slice(0, 3)}… (${ours.length}), by hand ${byHand.slice(0, 3)}… (${byHand.length})`,
  );
}
