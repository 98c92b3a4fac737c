import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { giveWay } from "@headwater/kernel/priority";
import { Failure } from "../bootstrap/failure.mjs";
import type { BoundedLog } from "./boundedLog.ts";
import type { Guard } from "./guard.ts";
import { type LifeWatch, type LifeWatchOptions, watchLife } from "./lifeWatch.ts";

const READY_POLL_MS = 100;
const READY_CHECK_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
const BACK_OFF_FIRST_MS = 200;
const BACK_OFF_MAX_MS = 10_000;
/** Ends in a row, without having been ready in between, after which a first start is given up. */
const ENDS_BEFORE_READY_MAX = 3;
const TAIL_LINES = 12;

/**
 * Program to run. `uid` and `gid` are set where it must not run as the user that we are, `niceness` where it gives way to processes that answer
 * clients.
 */
export interface ProcessPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly niceness?: number;
}

export interface SupervisedProcessOptions {
  readonly name: string;
  readonly plan: () => Promise<ProcessPlan>;
  /** Returns true when the process answers its clients; may throw or hang, which counts as false. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
  readonly log: BoundedLog;
  readonly guard: Guard;
  readonly autoRestart: boolean;
  /** Set for processes that are started again when their event loop stands still. */
  readonly life?: LifeWatchOptions;
  /** Time from SIGTERM to SIGKILL in `stop`. Default 20 s. */
  readonly stopTimeoutMs?: number;
}

export type ProcessState = "stopped" | "starting" | "ready" | "down";

/**
 * One child process that is kept running: it dies with us, is started again with a growing pause when it ends by itself
 * (unless `autoRestart` is off), and its output goes to a log of bounded size.
 */
export class SupervisedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly #options: SupervisedProcessOptions;
  #child: ChildProcess | undefined;
  #wanted = false;
  #wasReady = false;
  #isDoomed = false;
  #endsBeforeReady = 0;
  #restarts = 0;
  #standstills = 0;
  #life: LifeWatch | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #launching: Promise<void> | undefined;

  constructor(options: SupervisedProcessOptions) {
    this.name = options.name;
    this.logFile = options.log.file;
    this.#options = options;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Counts restarts after it ended by itself. */
  restarts(): number {
    return this.#restarts;
  }

  /** Counts the times that it was ended because its event loop stood still. */
  standstills(): number {
    return this.#standstills;
  }

  /** Starts it and waits until it is ready; a Failure with the end of its log when it cannot be. */
  async start(): Promise<void> {
    this.#wanted = true;
    this.#endsBeforeReady = 0;
    this.#wasReady = false;
    await this.#launch();
    await this.ready();
  }

  /** Sends a signal to the whole process group; nothing happens when it is not running. */
  kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    if (signal === "SIGKILL" || signal === "SIGTERM") this.#isDoomed = true;
    signalGroup(pid, signal);
  }

  /** Waits until it answers, across restarts that are under way. */
  async ready(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (!this.#canBecomeReady() || Date.now() > deadline) throw this.#notReady();
      await sleep(READY_POLL_MS);
    }
    this.#wasReady = true;
    this.#endsBeforeReady = 0;
  }

  /** Returns true when it runs and answers now. */
  async isReady(): Promise<boolean> {
    if (this.#child === undefined || this.#isDoomed) return false;
    const timeout = AbortSignal.timeout(READY_CHECK_TIMEOUT_MS);
    try {
      return (await Promise.race([this.#options.isReady(timeout), aborted(timeout)])) && !this.#isDoomed;
    } catch {
      // Refused, reset, timed out: all of it means "not yet"; why is in the log of the process itself.
      return false;
    }
  }

  async state(): Promise<ProcessState> {
    if (!this.#wanted) return "stopped";
    if (await this.isReady()) return "ready";
    return this.#wasReady ? "down" : "starting";
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Ends it: SIGTERM, and SIGKILL after `stopTimeoutMs`. Its data stay. */
  async stop(): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#restartTimer);
    await this.#launching;
    const child = this.#child;
    if (child?.pid === undefined) return;
    const ended = once(child, "close");
    this.kill("SIGTERM");
    this.kill("SIGCONT");
    const forced = setTimeout(() => this.kill("SIGKILL"), this.#options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(forced);
  }

  async #launch(): Promise<void> {
    this.#launching = this.#spawn();
    try {
      await this.#launching;
    } finally {
      this.#launching = undefined;
    }
  }

  async #spawn(): Promise<void> {
    const plan = await this.#options.plan();
    if (!this.#wanted || this.#child !== undefined) return;
    const child = spawnHeld(plan);
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      throw new Failure(`${this.name} cannot be started: ${String(error)}`);
    }
    this.#child = child;
    this.#isDoomed = false;
    child.stdout?.on("data", (chunk: Buffer) => this.#options.log.append(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.#options.log.append(chunk));
    child.once("exit", () => this.#exited(child));
    const { life } = this.#options;
    if (life !== undefined) this.#life = watchLife(child.pid, life, () => this.#endStandstill());
    this.#options.guard.watch(child.pid);
    if (plan.niceness !== undefined) giveWay(child.pid, plan.niceness);
    release(child);
  }

  #endStandstill(): void {
    if (!this.#wanted) return;
    this.#standstills += 1;
    this.#options.log.append(`-- ${this.name} has stopped answering: killed, to be started again\n`);
    this.kill("SIGKILL");
  }

  #exited(child: ChildProcess): void {
    this.#life?.stop();
    if (child.pid !== undefined) {
      // The leader is gone; what it left behind in its group would hold its ports and files.
      signalGroup(child.pid, "SIGKILL");
      this.#options.guard.release(child.pid);
    }
    this.#child = undefined;
    this.#options.log.append(`-- ${this.name} ended: ${child.signalCode ?? `code ${child.exitCode}`}\n`);
    if (!this.#wanted) return;
    this.#endsBeforeReady += 1;
    if (this.#canBecomeReady()) this.#scheduleRestart();
  }

  #scheduleRestart(): void {
    const pauseMs = Math.min(BACK_OFF_FIRST_MS * 2 ** (this.#endsBeforeReady - 1), BACK_OFF_MAX_MS);
    this.#restartTimer = setTimeout(() => {
      this.#restarts += 1;
      this.#launch().catch((error: unknown) => {
        this.#options.log.append(`-- ${this.name} was not started again: ${String(error)}\n`);
        this.#endsBeforeReady += 1;
        if (this.#wanted) this.#scheduleRestart();
      });
    }, pauseMs);
  }

  #canBecomeReady(): boolean {
    if (!this.#wanted) return false;
    if (this.#child !== undefined && !this.#isDoomed) return true;
    if (!this.#options.autoRestart) return this.#child !== undefined && !this.#wasReady;
    return this.#wasReady || this.#endsBeforeReady < ENDS_BEFORE_READY_MAX;
  }

  #notReady(): Failure {
    const tail = this.#options.log.tail(TAIL_LINES);
    return new Failure(`${this.name} does not answer; the end of its log ${this.logFile}:\n${tail}`);
  }
}

/**
 * Spawns the plan in a process group of its own, held back until `letGo`: a shell waits for a line on descriptor 3 and then
 * becomes the program. Were we killed before the guard knows of it, the shell reads the end of the pipe and leaves. What the
 * program writes is its user's alone (umask).
 */
function spawnHeld(plan: ProcessPlan): ChildProcess {
  const hold = 'umask 077; read -r line <&3 || exit 1; exec "$@" 3<&-';
  return spawn("/bin/sh", ["-c", hold, "sh", plan.command, ...plan.args], {
    cwd: plan.cwd ?? "/",
    env: { ...plan.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    ...(plan.uid === undefined ? {} : { uid: plan.uid }),
    ...(plan.gid === undefined ? {} : { gid: plan.gid }),
  });
}

function release(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (pipe === null || pipe === undefined || !("end" in pipe)) throw new Error("a held process has its fourth pipe");
  // The shell may be gone already (no such command): its exit is reported as such, the broken pipe says no more.
  pipe.on("error", () => undefined);
  pipe.end("go\n");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw new Error("timed out");
}
