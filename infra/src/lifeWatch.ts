import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const PS_TIMEOUT_MS = 5_000;
const STANDSTILL_MS = 30_000;
const CHECK_EVERY_MS = 2_000;
const CHECK_TIMEOUT_MS = 2_000;

export interface LifeWatchOptions {
  /** Returns true when the event loop of the process answers; may throw or hang, which counts as false. */
  readonly isAlive: (signal: AbortSignal) => Promise<boolean>;
  /** Time without an answer after which a process stands still; default 30 s. */
  readonly standstillMs?: number;
  /** Default 2 s. */
  readonly checkEveryMs?: number;
}

export interface LifeWatch {
  stop(): void;
}

/**
 * Watches a process from its first answer on, and reports when its event loop stands still. One that is starting has not answered yet, one
 * that somebody paused (SIGSTOP) does nothing wrong, and time that we slept through ourselves does not count.
 */
export function watchLife(pid: number, options: LifeWatchOptions, onStandstill: () => void): LifeWatch {
  const { isAlive, standstillMs = STANDSTILL_MS, checkEveryMs = CHECK_EVERY_MS } = options;
  let hasAnswered = false;
  let silentMs = 0;
  let checkedAtMs = performance.now();
  let isChecking = false;
  const check = async () => {
    const answered = await answers(isAlive);
    const nowMs = performance.now();
    // Between two checks lies at most a check that timed out; what is more is a sleep of our own.
    const sinceMs = Math.min(nowMs - checkedAtMs, checkEveryMs + CHECK_TIMEOUT_MS);
    checkedAtMs = nowMs;
    hasAnswered ||= answered;
    silentMs = answered || !hasAnswered ? 0 : silentMs + sinceMs;
    if (silentMs < standstillMs) return;
    silentMs = 0;
    if (!(await isPaused(pid))) onStandstill();
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, checkEveryMs);
  return { stop: () => clearInterval(timer) };
}

async function answers(isAlive: LifeWatchOptions["isAlive"]): Promise<boolean> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const over = new Promise<false>((resolve) => signal.addEventListener("abort", () => resolve(false), { once: true }));
  try {
    return await Promise.race([isAlive(signal), over]);
  } catch {
    // Refused, reset: why is in the log of the process itself.
    return false;
  }
}

/** Returns whether the process was stopped by a signal or a debugger; a process that cannot be asked for counts as paused. */
async function isPaused(pid: number): Promise<boolean> {
  try {
    const { stdout } = await run("ps", ["-o", "stat=", "-p", String(pid)], { timeout: PS_TIMEOUT_MS });
    return stdout.trim() === "" || /^[Tt]/.test(stdout.trim());
  } catch {
    return true;
  }
}
