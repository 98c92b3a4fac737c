import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const ATTEMPTS_MAX = 20;
/** Linux takes one such change in 100 ms from users other than root. */
const RETRY_MS = 150;

/**
 * Lets the leader of a session give way to other processes of the machine, with all that it starts from then on.
 * @param niceness as of `nice`: 0 to 19, the most polite.
 */
export function giveWay(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended meanwhile, or the machine forbids it: then all processes are equal.
    return;
  }
  if (process.platform === "linux") setSession(pid, niceness, ATTEMPTS_MAX);
}

/** Sets the weight of a whole session. Where Linux has groups by session, it shares processors between sessions, and nice values count only inside of one. */
function setSession(pid: number, niceness: number, attempts: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness), { flag: "r+" });
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    if (isTooSoon && attempts > 1) setTimeout(() => setSession(pid, niceness, attempts - 1), RETRY_MS).unref();
  }
}
