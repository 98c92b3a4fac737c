import type { Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";
import { type Input, isLive, type Refusal } from "../orchestrations/run.ts";
import { startOf } from "../orchestrations/start.ts";
import { loadContacts } from "./applyFacts.ts";
import type { Starting } from "./journeys.ts";
import { lockRuns } from "./postgres.ts";
import { type RunOfContact, readRunsOfContact } from "./runReads.ts";
import type { RunUnit } from "./runUnit.ts";
import { stepRuns, type UnitPorts, withJourneys } from "./storeUnit.ts";

type CallPorts = UnitPorts & { readonly nowMs: number };

/** A contact that a call lets enter. */
export interface Called {
  /** Id of the start, the same whenever the call is run again. */
  readonly id: string;
  /** Number of the contact. */
  readonly contact: number;
  readonly extVars: Readonly<Record<string, unknown>>;
}

export type CallResult = "begun" | Exclude<Refusal, "audience"> | "not-found";

const positionStatement = {
  name: "orchestration_calls_position",
  text: "SELECT nextval('outbox_positions') AS position FROM generate_series(1, $1::int) ORDER BY 1",
};
/** Calls are a stream of facts of their own. */
const STREAM = "calls";

/** Lets contacts enter in one transaction. @returns the result of each, in their order; a contact that was erased since is not found. */
export function startCalled(
  transaction: Transaction,
  { starting, called }: { readonly starting: Starting; readonly called: readonly Called[] },
  ports: CallPorts,
): Promise<CallResult[]> {
  const { account, journey } = starting;
  const { nowMs } = ports;
  return stepRuns(transaction, ports, async (unit) => {
    const positions = await transaction.query<{ position: number }>(positionStatement, [called.length]);
    const contacts = called.map(({ contact }) => ({ account, contact }));
    const survivorOf = await loadContacts(transaction, unit, { contacts, sinceMs: nowMs, nowMs }, ports);
    const results: CallResult[] = [];
    for (const [index, { id, contact: number, extVars }] of called.entries()) {
      const contact = survivorOf(account, number);
      const position = positions[index]?.position ?? 0;
      if (contact === undefined) results.push("not-found");
      else results.push(await startOne({ id, stream: STREAM, position, at: nowMs, contact, extVars }));
    }
    return results;

    async function startOne(call: Omit<Extract<Parameters<typeof startOf>[1], { kind: "call" }>, "kind">) {
      const started = startOf(journey, { kind: "call", ...call });
      if (started.kind === "refused") {
        unit.refuse(account, journey.orchestration, started.reason);
        return started.reason;
      }
      if (started.kind === "none") throw new Error("a call starts runs of an orchestration that takes calls");
      return (await unit.start(account, journey, started.start)) === "refused" ? "reentry" : "begun";
    }
  });
}

export interface ContactRuns extends OrchestrationName {
  /** Number of the contact. */
  readonly contact: number;
}

/** Ends the runs of a contact that are on their way. @returns how many there were. */
export function exitRuns(transaction: Transaction, name: ContactRuns, ports: CallPorts): Promise<number> {
  const input: Input = { kind: "exit", at: ports.nowMs, reason: "api" };
  return applyTo(transaction, name, { input, choose: (runs) => runs.filter(isLive) }, ports);
}

/**
 * Tries the nodes of a contact's failed runs again. Of each key it is the latest one, unless another run is on its way.
 * @returns how many there were.
 */
export function retryRuns(transaction: Transaction, name: ContactRuns, ports: CallPorts): Promise<number> {
  const choose = (runs: readonly RunOfContact[]) =>
    [...Map.groupBy(runs, ({ key }) => key).values()].flatMap((same) =>
      same.some(isLive) ? [] : same.filter(({ state }) => state === "failed").slice(0, 1),
    );
  return applyTo(transaction, name, { input: { kind: "retry", at: ports.nowMs }, choose }, ports);
}

interface Applying {
  readonly input: Input;
  readonly choose: (runs: readonly RunOfContact[]) => readonly RunOfContact[];
}

function applyTo(
  transaction: Transaction,
  { contact, ...name }: ContactRuns,
  { input, choose }: Applying,
  ports: CallPorts,
): Promise<number> {
  const { account } = name;
  const { nowMs } = ports;
  return stepRuns(transaction, ports, async (unit: RunUnit) => {
    const contacts = [{ account, contact }];
    const survivorOf = await loadContacts(transaction, unit, { contacts, sinceMs: nowMs, nowMs }, ports);
    const survivor = survivorOf(account, contact) ?? contact;
    const chosen = choose(await readRunsOfContact(transaction, name, [...new Set([survivor, contact])]));
    const keys = chosen.map(({ id }) => ({ account, id }));
    unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, keys)));
    for (const key of keys) await unit.apply(key, input);
    return keys.length;
  });
}
