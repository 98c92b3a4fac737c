import { microsPerRecord } from "../measure/storeUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import type { Row } from "../report/row.ts";
import { type Located, nameOf, plural } from "./arrangements.ts";
import { type Costs, predict, processesFor } from "./model.ts";

export interface Measured {
  readonly arrangement: Located;
  readonly stretches: readonly Stretch[];
  readonly notes?: readonly string[];
}

/** Cores that are predicted where the machine has fewer. */
const PREDICTED = [4, 8];

/**
 * Rows of arrangements, each next to what the model predicts by the costs of the first, on one core.
 * @param ours what our process is called.
 */
export function toRows(what: string, ours: string, measured: readonly Measured[]): Row[] {
  const [onOneCore] = measured;
  if (onOneCore === undefined) throw new Error("nothing was measured");
  const costs = costsOf(onOneCore.stretches);
  const rows = measured.map(({ arrangement, stretches, notes = [] }): Row => {
    const figures = toFigures(stretches);
    const { load } = costsOf(stretches);
    const eventsPerSecond = predict(costs, arrangement);
    const model = { name: "the model, by the costs on one core", figures: { eventsPerSecond } };
    return {
      path: "cores",
      what: `${what}, ${nameOf(ours, arrangement)}`,
      ours: figures,
      limits: [{ ...model, ratio: figures.eventsPerSecond / eventsPerSecond }],
      micros: { ...microsPerRecord(ours, stretches), ...(load > 0 && { load }) },
      notes,
    };
  });
  return rows.map((row, index) =>
    index < rows.length - 1 ? row : { ...row, notes: [...(row.notes ?? []), prediction(costs, ours)] },
  );
}

function prediction(costs: Costs, ours: string): string {
  const parts = PREDICTED.map((cores) => {
    const processes = processesFor(costs, { cores, isLoadApart: true });
    const rate = predict(costs, { cores, processes, isLoadApart: true });
    return `${Math.round(rate).toLocaleString("en")}/s on ${cores} cores with ${processes} ${plural(ours)}`;
  });
  return `the model, the load apart: ${parts.join(", ")}`;
}

function costsOf(stretches: readonly Stretch[]): Costs {
  const { ours = 0, ...stores } = microsPerRecord("ours", stretches);
  const events = stretches.reduce((sum, one) => sum + one.events, 0);
  const load = stretches.reduce((sum, one) => sum + (one.generatorCpuSeconds ?? 0), 0);
  return { ours, stores: Object.values(stores).reduce((sum, one) => sum + one, 0), load: (load * 1e6) / events };
}
