import { enableOrchestration, setStatus, withService } from "../automation/journeys.ts";
import { type Figures, toFigures } from "../measure/tally.ts";
import { type Side, takeTurns } from "../measure/turns.ts";
import { atLeast, type Row } from "../report/row.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { withWorld } from "../world/world.ts";
import { applyActivities, recordsOf } from "./activities.ts";

const LISTENERS = 100;
const AIM_RATIO = 0.9;
/** Everybody who searched is another fact: a quarter of the activities. */
const HEARD = "search";

/** Activities into both stores while nobody listens, while a hundred orchestrations listen for others, and while one of them hears a quarter. */
export async function listeners(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "listeners", async (world) => {
    await insertKnownContacts(world, recordsOf(bench));
    const { silent, hearing } = await withService(bench, world, async (port) => {
      const listen = (action: string) => {
        const actions = [{ id: "end", type: "exit" }];
        const body = { name: action, trigger: { event: { action } }, composition: { draft: { actions } } };
        return enableOrchestration(world, port, body);
      };
      const ids: string[] = [];
      for (let n = 1; n < LISTENERS; n++) ids.push(await listen(`never-${n}`));
      return { silent: ids, hearing: await listen(HEARD) };
    });
    const peaksMib: number[] = [];
    let turn = 0;
    const side = (name: string, wanted: { readonly silent: boolean; readonly hearing: boolean }): Side => ({
      name,
      stretch: async () => {
        await withService(bench, world, async (port) => {
          for (const orchestration of silent) await setStatus(world, port, { orchestration, isEnabled: wanted.silent });
          await setStatus(world, port, { orchestration: hearing, isEnabled: wanted.hearing });
        });
        return applyActivities(bench, world, { peaksMib, turn: turn++ });
      },
    });
    const [none = [], unheard = [], heard = []] = await takeTurns(bench, "listeners", [
      side("nobody", { silent: false, hearing: false }),
      side("for others", { silent: true, hearing: false }),
      side("for a quarter", { silent: true, hearing: true }),
    ]);
    const alone = toFigures(none, Math.max(...peaksMib));
    return [
      toRow(`${LISTENERS - 1} that listen for other activities`, toFigures(unheard), alone),
      toRow(`${LISTENERS}, one of which hears a quarter of them`, toFigures(heard), alone),
    ];
  });
}

function toRow(what: string, ours: Figures, alone: Figures): Row {
  const ratio = (ours.eventsPerCoreSecond ?? 0) / (alone.eventsPerCoreSecond ?? Number.NaN);
  return {
    ...{ path: "listeners", what, ours },
    limits: [{ name: "the same while nobody listens", figures: alone, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of nobody, per core-s"),
  };
}
