import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second, on every architecture. */
const TICKS_PER_SECOND = 100;
/** Positions in /proc/<pid>/stat behind the name, which may hold spaces: state is 0, the parent 1. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
/** Fields for children that have ended. */
const ENDED_USER_TICKS = 13;
const ENDED_SYSTEM_TICKS = 14;

/** Processor time of a process and its descendants so far, user and system, in seconds; 0 when it is gone. */
export function cpuSecondsOf(pid: number): number {
  const stats = readStats();
  const ticks = (of: string): number => {
    const own = stats.get(of);
    if (own === undefined) return 0;
    const children = [...stats].filter(([, fields]) => fields[PARENT] === of).map(([child]) => ticks(child));
    return Number(own[USER_TICKS]) + Number(own[SYSTEM_TICKS]) + children.reduce((sum, one) => sum + one, 0);
  };
  return ticks(String(pid)) / TICKS_PER_SECOND;
}

/** A process that runs, and its descendants. */
export function familyOf(pid: number): number[] {
  const stats = readStats();
  const family = (of: string): string[] => {
    const children = [...stats].filter(([, fields]) => fields[PARENT] === of);
    return [of, ...children.flatMap(([child]) => family(child))];
  };
  return stats.has(String(pid)) ? family(String(pid)).map(Number) : [];
}

/** Returns `cpuSecondsOf` with its children that have ended: a server's connections come and go while it is measured. */
export function cpuSecondsWithEnded(pid: number): number {
  const own = statOf(String(pid));
  return cpuSecondsOf(pid) + (Number(own[ENDED_USER_TICKS]) + Number(own[ENDED_SYSTEM_TICKS])) / TICKS_PER_SECOND;
}

/** The process that started it. @throws Error when it does not run on this machine. */
export function parentOf(pid: number): number {
  const parent = Number(statOf(String(pid))[PARENT]);
  if (!(parent > 1)) throw new Error(`process ${pid} has no parent on this machine`);
  return parent;
}

function readStats(): Map<string, string[]> {
  const stats = new Map<string, string[]>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (fields.length > 1) stats.set(pid, fields);
  }
  return stats;
}

/** The fields behind the name. */
function statOf(pid: string): string[] {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** The most memory a process held in RAM so far, in MiB; 0 when it is gone. */
export function peakMemoryMib(pid: number): number {
  return statusMib(pid, "VmHWM");
}

/** The memory that a process holds in RAM, in MiB; 0 when it is gone. */
export function memoryMib(pid: number): number {
  return statusMib(pid, "VmRSS");
}

function statusMib(pid: number, field: "VmHWM" | "VmRSS"): number {
  const lines = readOrEmpty(`/proc/${pid}/status`).split("\n");
  const kib = lines.find((line) => line.startsWith(`${field}:`))?.match(/\d+/)?.[0];
  return Number(kib ?? 0) / 1024;
}

/** A process may end between its being listed and being read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
    throw error;
  }
}
