import { setTimeout as sleep } from "node:timers/promises";
import type { SmtpAction, SmtpCommand, SmtpRule } from "@headwater/testing";
import type { SupervisedProcess } from "../../../infra/src/index.ts";
import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { closeGate, type GateName } from "../jobs/gates.ts";
import { INTENT_GATE, OUTCOME_GATE } from "./gates.ts";
import { drawPeople, erase, merge, unsubscribe } from "./people.ts";
import { LEASE_SECONDS, type SendsGround } from "./sendsGround.ts";

const COMMANDS = ["CONN", "EHLO", "MAIL", "RCPT", "DATA", "DOT", "RSET"] as const satisfies readonly SmtpCommand[];
/** The short form has one code of each class. */
const CODES = process.env.HEADWATER_FAULTS === "long" ? [421, 450, 452, 454, 550] : [421, 450, 550];
const REACHED_TIMEOUT_MS = 60_000;
const DRIP_MS = 1_000;
const DRIPPED_FOR_MS = 4_000;
const FIRST_STEP_TIMEOUT_MS = 20_000;
/** A job whose worker sleeps is given to another after its heartbeat of 10 s. */
const RELEASED_MS = 14_000;
const PAUSES = 3;
const PAUSED_MS_MAX = 800;
const CHANGES = 2;

/** A fault that is set before it can be reached, and then strikes. */
export interface ArmedFault {
  /** Waits until it is reached, does the damage, and takes itself away. */
  strike(): Promise<Struck>;
}

/** Damage that was done. */
export interface Struck {
  /** Windows of senders that may have been lost. */
  readonly windows: number;
  /** Processes that were killed by signal 9. */
  readonly kills: number;
}

/** The message that is sent meanwhile. */
interface About {
  readonly id: string;
  readonly random: Random;
}
type Arm = (on: SendsGround, about: About) => Promise<ArmedFault>;

const TAKEN_AND_HANGS = { kind: "hang", accepted: true } as const;

/** It has to be armed before its message starts. */
export const AT_START = "two workers at one start";

export const sendFaults: Readonly<Record<string, Arm>> = {
  "kill before the intent": (on, about) => killAtGate(on, about, INTENT_GATE),
  "kill after the intent": (on, about) => killAtCommand(on, about, { command: "MAIL", action: { kind: "hang" } }),
  "kill behind the dot": (on, about) => killAtCommand(on, about, { command: "DOT", action: TAKEN_AND_HANGS }),
  "kill before the outcome": (on, about) => killAtGate(on, about, OUTCOME_GATE),
  "kill at a hanging greeting": (on, about) => killAtCommand(on, about, { command: "CONN", action: { kind: "hang" } }),
  "kill at a hanging recipient": (on, about) => killAtCommand(on, about, { command: "RCPT", action: { kind: "hang" } }),
  "kill at hanging data": (on, about) => killAtCommand(on, about, { command: "DATA", action: { kind: "hang" } }),
  "sleep beyond the lease": sleepBeyondLease,
  "one byte a second": drip,
  "answers of all kinds": misbehave,
  "kill postgres": (on) => killService(on, on.ground.services.services.postgres),
  "kill kafka": (on) => killService(on, on.ground.services.services.kafka),
  "kill clickhouse": (on) => killService(on, on.ground.services.services.clickhouse),
  "kill a worker": (on) => killService(on, on.apps.worker(1)),
  "jump of a clock": jump,
  "kafka is away": (on) => stopService(on, on.ground.services.services.kafka),
  "clickhouse is away": (on) => stopService(on, on.ground.services.services.clickhouse),
  [AT_START]: startTwice,
  "pause and resume": pauseAndResume,
  "people change": updatePeople,
};

/** Mails that the server lost the connection of behind the dot, at most: nobody knows what became of them. */
export const DOT_RESETS = 2;

export async function killSenders({ senders }: SendsGround): Promise<Struck> {
  for (const sender of senders()) {
    // One that answered since its last start has no longer pause before the next one.
    if (await sender.isReady()) await sender.ready();
  }
  for (const sender of senders()) sender.kill("SIGKILL");
  return { windows: senders().length, kills: senders().length };
}

const NOTHING: Struck = { windows: 0, kills: 0 };
const ONE_KILL: Struck = { windows: 0, kills: 1 };

async function allReady({ senders }: SendsGround): Promise<void> {
  await Promise.all(senders().map((sender) => sender.ready()));
}

async function killAtGate(on: SendsGround, { id }: About, name: GateName): Promise<ArmedFault> {
  const gate = await closeGate(on.patient, name);
  return {
    async strike() {
      const isMet = await meets(on, { id, what: name, isReached: gate.isReached });
      const struck = isMet ? await killSenders(on) : NOTHING;
      await gate.open();
      return struck;
    },
  };
}

async function killAtCommand(on: SendsGround, { id }: About, rule: SmtpRule): Promise<ArmedFault> {
  const before = await on.smtp.counts();
  await on.smtp.behave(rule);
  const isReached = async () => {
    const { mails } = await on.smtp.counts();
    return rule.command === "DOT" ? mails > before.mails : (await sending(on)) > 0;
  };
  return {
    async strike() {
      const isMet = await meets(on, { id, what: rule.command, isReached });
      const struck = isMet ? await killSenders(on) : NOTHING;
      await on.smtp.behave();
      return struck;
    },
  };
}

interface Meeting {
  readonly id: string;
  readonly what: string;
  readonly isReached: () => Promise<boolean>;
}

/** Waits until a sender is where a fault meets it. @returns false when the message was over before. */
async function meets(on: SendsGround, { id, what, isReached }: Meeting): Promise<boolean> {
  let isMet = false;
  const check = async () => {
    isMet = await isReached();
    return isMet || (await isOver(on, id)) ? undefined : `nobody at ${what}`;
  };
  await until(check, { timeoutMs: REACHED_TIMEOUT_MS, everyMs: 20 });
  return isMet;
}

async function isOver({ ground }: SendsGround, id: string): Promise<boolean> {
  const text = "SELECT status FROM batch_messages WHERE id = $1";
  const [row] = await ground.postgres.query<{ status: string }>({ text }, [id]);
  return row?.status === "sent" || row?.status === "canceled";
}

async function sending({ ground }: SendsGround): Promise<number> {
  const text = "SELECT count(*) AS sending FROM sends WHERE state = 'sending'";
  const [row] = await ground.postgres.query<{ sending: number }>({ text });
  return Number(row?.sending);
}

/** A sender sleeps in the middle of a window; the others take it for lost. */
async function sleepBeyondLease(on: SendsGround, { id }: About): Promise<ArmedFault> {
  await on.smtp.behave({ command: "RCPT", action: { kind: "drip", msPerByte: 30 } });
  const [, sleeper] = on.senders();
  return {
    async strike() {
      await meets(on, { id, what: "RCPT", isReached: async () => (await sending(on)) > 0 });
      sleeper?.kill("SIGSTOP");
      await sleep((LEASE_SECONDS + 3) * 1_000);
      sleeper?.kill("SIGCONT");
      await on.smtp.behave();
      return { windows: 1, kills: 0 };
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
      return NOTHING;
    },
  };
}

async function killService(on: SendsGround, service: SupervisedProcess | undefined): Promise<ArmedFault> {
  return {
    async strike() {
      await allReady(on);
      service?.kill("SIGKILL");
      await service?.ready();
      return ONE_KILL;
    },
  };
}

/** A service answers nobody for longer than a lease, and knows afterwards what it knew before. */
async function stopService(on: SendsGround, service: SupervisedProcess | undefined): Promise<ArmedFault> {
  return {
    async strike() {
      await allReady(on);
      service?.kill("SIGSTOP");
      await sleep((LEASE_SECONDS + 2) * 1_000);
      service?.kill("SIGCONT");
      return NOTHING;
    },
  };
}

/** A worker sleeps in the first step of the message's job until another has begun it, too, and goes on with what it had begun. */
async function startTwice(on: SendsGround): Promise<ArmedFault> {
  const [sleeper, other] = [on.apps.worker(), on.apps.worker(1)];
  const gate = await closeGate(on.patient, "SendBatchMessage first");
  other.kill("SIGSTOP");
  return {
    async strike() {
      // A message whose job had gone on before the gate was closed passes by.
      const isMet = await gate.reached(FIRST_STEP_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      other.kill("SIGCONT");
      if (isMet) sleeper.kill("SIGSTOP");
      await gate.open();
      await sleep(isMet ? RELEASED_MS : 0);
      sleeper.kill("SIGCONT");
      return NOTHING;
    },
  };
}

async function pauseAndResume(on: SendsGround, { id, random }: About): Promise<ArmedFault> {
  return {
    async strike() {
      await allReady(on);
      for (let times = 0; times < PAUSES; times++) {
        await updateState(on, id, "pause");
        await sleep(random.between(0, PAUSED_MS_MAX));
        await updateState(on, id, "resume");
        await sleep(random.between(0, PAUSED_MS_MAX));
      }
      return NOTHING;
    },
  };
}

/** Calls a state route; a message that has ended meanwhile refuses it. */
export async function updateState({ call }: SendsGround, id: string, route: "pause" | "resume"): Promise<void> {
  await call("PUT", `/v2/batchmessages/${id}/${route}`).catch((error: unknown) => {
    if (!String(error).includes("INVALID_STATE_TRANSITION")) throw error;
  });
}

/** People unsubscribe, are merged and erased while the message goes out. */
async function updatePeople(on: SendsGround, { random }: About): Promise<ArmedFault> {
  return {
    async strike() {
      await allReady(on);
      for (let times = 0; times < CHANGES; times++) {
        const [first, second, third, fourth] = drawPeople(on.people, random, 4);
        await unsubscribe(on, first === undefined ? [] : [first]);
        await merge(on, second === undefined || third === undefined ? [] : [second, third]);
        await erase(on, fourth === undefined ? [] : [fourth]);
      }
      return NOTHING;
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
      return NOTHING;
    },
  };
}
