import { setTimeout as sleep } from "node:timers/promises";
import type { SupervisedProcess } from "@headwater/infra";
import type { SmtpAction, SmtpCommand, SmtpRule } from "@headwater/testing";
import { until } from "../harness/until.ts";
import { closeGate } from "../jobs/gates.ts";
import { INTENT_GATE, OUTCOME_GATE } from "./gates.ts";
import { LEASE_SECONDS, type SendsGround } from "./sendsGround.ts";

const COMMANDS = ["CONN", "EHLO", "MAIL", "RCPT", "DATA", "DOT", "RSET"] as const satisfies readonly SmtpCommand[];
const CODES = [421, 450, 452, 454, 550];
const REACHED_TIMEOUT_MS = 60_000;
const DRIP_MS = 1_000;
const DRIPPED_FOR_MS = 4_000;

/** A fault that is set before it can be reached, and then strikes. */
export interface ArmedFault {
  /** Waits until it is reached, does the damage, and takes itself away. @returns sender windows that may have been lost. */
  strike(): Promise<number>;
}
type Arm = (on: SendsGround) => Promise<ArmedFault>;

export const sendFaults: Readonly<Record<string, Arm>> = {
  "kill before the intent": (on) => killAtGate(on, INTENT_GATE),
  "kill after the intent": (on) => killAtCommand(on, { command: "MAIL", action: { kind: "hang" } }),
  "kill behind the dot": (on) => killAtCommand(on, { command: "DOT", action: { kind: "hang", accepted: true } }),
  "kill before the outcome": (on) => killAtGate(on, OUTCOME_GATE),
  "kill at a hanging greeting": (on) => killAtCommand(on, { command: "CONN", action: { kind: "hang" } }),
  "kill at a hanging recipient": (on) => killAtCommand(on, { command: "RCPT", action: { kind: "hang" } }),
  "kill at hanging data": (on) => killAtCommand(on, { command: "DATA", action: { kind: "hang" } }),
  "sleep beyond the lease": sleepBeyondLease,
  "one byte a second": drip,
  "answers of all kinds": misbehave,
  "kill postgres": (on) => killService(on, on.ground.services.services.postgres),
  "kill kafka": (on) => killService(on, on.ground.services.services.kafka),
  "kill clickhouse": (on) => killService(on, on.ground.services.services.clickhouse),
  "kill a worker": (on) => killService(on, on.apps.worker(1)),
  "jump of a clock": jump,
};

/** Mails that the server lost the connection of behind the dot, at most: nobody knows what became of them. */
export const DOT_RESETS = 2;

async function killSenders({ senders }: SendsGround): Promise<number> {
  for (const sender of senders()) sender.kill("SIGKILL");
  return senders().length;
}

async function allReady({ senders }: SendsGround): Promise<void> {
  await Promise.all(senders().map((sender) => sender.ready()));
}

async function killAtGate(on: SendsGround, name: "sends intent" | "sends outcome"): Promise<ArmedFault> {
  const gate = await closeGate(on.patient, name);
  return {
    async strike() {
      await gate.reached();
      const killed = await killSenders(on);
      await gate.open();
      return killed;
    },
  };
}

async function killAtCommand(on: SendsGround, rule: SmtpRule): Promise<ArmedFault> {
  const before = await on.smtp.counts();
  await on.smtp.behave(rule);
  const isReached = async () => {
    const { mails } = await on.smtp.counts();
    return rule.command === "DOT" ? mails > before.mails : (await sending(on)) > 0;
  };
  return {
    async strike() {
      await until(async () => ((await isReached()) ? undefined : `nobody at ${rule.command}`), {
        timeoutMs: REACHED_TIMEOUT_MS,
        everyMs: 20,
      });
      const killed = await killSenders(on);
      await on.smtp.behave();
      return killed;
    },
  };
}

async function sending({ ground }: SendsGround): Promise<number> {
  const text = "SELECT count(*) AS sending FROM sends WHERE state = 'sending'";
  const [row] = await ground.postgres.query<{ sending: number }>({ text });
  return Number(row?.sending);
}

/** A sender sleeps in the middle of a window; the others take it for lost. */
async function sleepBeyondLease(on: SendsGround): Promise<ArmedFault> {
  await on.smtp.behave({ command: "RCPT", action: { kind: "drip", msPerByte: 30 } });
  const [, sleeper] = on.senders();
  return {
    async strike() {
      await until(async () => ((await sending(on)) > 0 ? undefined : "nobody sends"), {
        timeoutMs: REACHED_TIMEOUT_MS,
        everyMs: 20,
      });
      sleeper?.kill("SIGSTOP");
      await sleep((LEASE_SECONDS + 3) * 1_000);
      sleeper?.kill("SIGCONT");
      await on.smtp.behave();
      return 1;
    },
  };
}

async function drip(on: SendsGround): Promise<ArmedFault> {
  await on.smtp.behave(
    ...COMMANDS.map((command) => ({ command, action: { kind: "drip", msPerByte: DRIP_MS }, times: 1 }) as const),
  );
  return {
    async strike() {
      await allReady(on);
      await sleep(DRIPPED_FOR_MS);
      const killed = await killSenders(on);
      await on.smtp.behave();
      return killed;
    },
  };
}

/** The server resets the connection and answers every code at every command. */
async function misbehave(on: SendsGround): Promise<ArmedFault> {
  const rules = COMMANDS.flatMap((command): SmtpRule[] => {
    const resets: SmtpAction[] = Array.from({ length: DOT_RESETS }, () => ({ kind: "reset" }));
    const answers = CODES.map((code): SmtpAction => ({ kind: "answer", code }));
    return [...answers, ...resets].map((action) => ({ command, action, times: 1 }));
  });
  await on.smtp.behave(...rules);
  return {
    async strike() {
      await allReady(on);
      return 0;
    },
  };
}

async function killService(on: SendsGround, service: SupervisedProcess | undefined): Promise<ArmedFault> {
  return {
    async strike() {
      await allReady(on);
      service?.kill("SIGKILL");
      await service?.ready();
      return 0;
    },
  };
}

/** The wall clock of one sender goes ahead, back, and right again. */
async function jump(on: SendsGround): Promise<ArmedFault> {
  const [jumping] = on.senders();
  return {
    async strike() {
      await allReady(on);
      for (let jumps = 0; jumps < 4; jumps++) {
        jumping?.kill("SIGUSR2");
        await sleep(500);
      }
      return 0;
    },
  };
}
