import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { familyOf } from "../measure/processUsage.ts";

const run = promisify(execFile);

/** The cores that this process may use, by number. */
export function usableCores(): number[] {
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return list.split(",").flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Has these processes and their descendants, with all of their threads, run on these cores alone. */
export async function pin(pids: readonly number[], cores: readonly number[]): Promise<void> {
  for (const pid of pids.flatMap(familyOf)) {
    await run("taskset", ["--all-tasks", "--cpu-list", "--pid", cores.join(","), String(pid)]);
  }
}
