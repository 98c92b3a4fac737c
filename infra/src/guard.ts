import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("guard.sh", import.meta.url));

/**
 * Sees to it that children die with this process, kill -9 included: a shell of a megabyte that holds a pipe from us and
 * kills the groups it knows when the pipe breaks. It is started again, with all it must know, should somebody kill it.
 */
export class Guard {
  readonly #pids = new Set<number>();
  #shell: ChildProcess | undefined;
  #closed = false;

  /** Watches the process group led by `pid` until `release`. */
  watch(pid: number): void {
    this.#pids.add(pid);
    if (this.#shell === undefined) this.#start();
    else this.#shell.stdin?.write(`+ ${pid}\n`);
  }

  release(pid: number): void {
    if (this.#pids.delete(pid)) this.#shell?.stdin?.write(`- ${pid}\n`);
  }

  close(): void {
    this.#closed = true;
    this.#shell?.stdin?.end();
  }

  #start(): void {
    const shell = spawn("/bin/sh", [SCRIPT], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
    shell.once("exit", () => this.#ended());
    // A broken pipe here is the guard's end, which the exit event reports.
    shell.stdin.on("error", () => this.#ended());
    shell.unref();
    for (const pid of this.#pids) shell.stdin.write(`+ ${pid}\n`);
    this.#shell = shell;
  }

  #ended(): void {
    if (this.#shell === undefined) return;
    this.#shell = undefined;
    if (!this.#closed && this.#pids.size > 0) this.#start();
  }
}
