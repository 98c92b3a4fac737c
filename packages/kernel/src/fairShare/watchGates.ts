import type { Metrics } from "../metrics.ts";
import type { FairGate } from "./fairGate.ts";

/** Shows what gates hold. Accounts are counted, never named: labels stay as many as gates. */
export function watchGates(metrics: Metrics, gates: Readonly<Record<string, Pick<FairGate, "stats">>>): void {
  const all = Object.entries(gates);
  const show = (name: string, help: string, of: (stats: ReturnType<FairGate["stats"]>) => number) =>
    metrics.gauge({
      name,
      help,
      labels: ["gate"],
      collect: (gauge) => {
        for (const [gate, shares] of all) gauge.set({ gate }, of(shares.stats()));
      },
    });
  show("headwater_shares_running", "Tasks that hold a slot of a shared gate.", ({ running }) => running);
  show("headwater_shares_waiting", "Tasks that wait for a slot.", ({ waiting }) => waiting);
  show("headwater_shares_accounts", "Accounts with a task at the gate.", ({ flows }) => flows);
  show(
    "headwater_shares_refused",
    "Tasks rejected since the start because their account exceeded its share.",
    ({ refused }) => refused,
  );
}
