import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { giveWay } from "@headwater/kernel";
import { ByteChunks, encodeFrame, FrameReader, writeFrame } from "./frames.ts";
import {
  type Answer,
  CHANNEL,
  type ChildFrame,
  DEADLINE_SIGNAL,
  MEMORY_SIGNAL,
  type ParentFrame,
  type ResultFrame,
  WALL_FACTOR,
} from "./protocol.ts";

/** Reason why a process ended while it had tasks. */
export type EndReason = "deadline" | "memory" | "crashed" | "output";

/** Answers what a task asks. Its time counts as none of the task's. */
export type Host = Readonly<Record<string, (input: never) => Promise<unknown>>>;

export interface ChildTask {
  readonly name: string;
  readonly input: unknown;
  readonly deadlineMs: number;
  readonly totalMs?: number | undefined;
  readonly host?: Host | undefined;
}

export type TaskResult<Output = never> =
  | ResultFrame<Output>["result"]
  | { readonly kind: "ended"; readonly reason: EndReason };

/** Result of a task, and how long it held its process (see `ResultFrame`); 0 when the process ended. */
export interface TaskRun {
  readonly result: TaskResult;
  readonly heldMs: number;
}

export interface ChildOptions {
  readonly entry: URL;
  readonly memoryBytesMax: number;
  /** Longest frame that it may send. */
  readonly outputBytesMax: number;
  /** Called once, when the process has ended. */
  readonly onEnd: (child: SandboxChild) => void;
}

/** Time in which a process has loaded its modules, also on a machine that is busy. */
const START_MS_MAX = 60_000;
/** The watchdog in the process comes first; this one ends a process whose watchdog does not answer either. */
const GRACE_MS = 1_000;
/** Foreign content waits for the processor where others need it; as `nice` counts it. */
const NICENESS = 10;
const STDERR_CHARACTERS = 4_096;
const OUT_OF_MEMORY = /out of memory|memory allocation of \d+ bytes failed|Failed to reserve/i;
const LIMIT_MS_MAX = 5_000;
const KIB = 1024;
const MIB = KIB * KIB;
/** Mappings that V8 and the allocator of the system need beyond what is in use. */
const MAPPED_BYTES = 96 * MIB;

/** Arguments of Node: a heap below the limit of the process, no files to write, no network, no processes. */
function argumentsOf({ entry, memoryBytesMax }: ChildOptions): string[] {
  return [
    `--max-old-space-size=${Math.floor((memoryBytesMax / MIB) * 0.75)}`,
    "--max-semi-space-size=16",
    "--permission",
    "--allow-fs-read=*",
    "--allow-addons",
    "--allow-worker",
    "--no-warnings",
    fileURLToPath(entry),
    String(memoryBytesMax),
  ];
}

/** Variables by which an operator names certificate authorities. */
const TRUST = ["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR"];

function trustOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(TRUST.flatMap((name) => (name in environment ? [[name, environment[name]]] : [])));
}

/** A process that works on foreign content, and everything it was told. One batch of tasks at a time. */
export class SandboxChild {
  readonly #options: ChildOptions;
  readonly #process: ChildProcess;
  readonly #channel: Socket;
  readonly #reader: FrameReader<ChildFrame<never>>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, { readonly host: Host | undefined; readonly resolve: (run: TaskRun) => void }>();
  #lastId = 0;
  #stderr = "";
  #reason: EndReason | undefined;
  #timer: NodeJS.Timeout | undefined;
  #deadlineMs = 0;
  /** Questions that were not answered yet, with their tasks. */
  readonly #questions = new Map<number, number>();
  #readyBytes = 0;
  #residentBytes = 0;
  #hasEnded = false;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#reader = new FrameReader(options.outputBytesMax);
    this.#process = spawn(process.execPath, argumentsOf(options), {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      env: { TZ: "UTC", ...trustOf(process.env) },
      cwd: "/",
      // Leads a session of its own, so that its low priority counts. Its watchdog ends it when this process has ended.
      detached: true,
    });
    if (this.#process.pid !== undefined) giveWay(this.#process.pid, NICENESS);
    const channel = this.#process.stdio[CHANNEL];
    if (!(channel instanceof Socket)) throw new TypeError("a pipe of a child process is a socket");
    this.#channel = channel;
    this.#listen();
    this.#timer = setTimeout(() => this.kill("deadline"), START_MS_MAX).unref();
    this.#process.unref();
    this.#unrefPipes();
  }

  /** True until the process has ended or been told to. */
  get isAlive(): boolean {
    return !this.#hasEnded && this.#reason === undefined;
  }

  /** True once it holds more than half of the memory that a task may take. */
  hasGrown(): boolean {
    return this.#residentBytes - this.#readyBytes > this.#options.memoryBytesMax / 2;
  }

  /** Resolves once it takes tasks; it may have ended instead. */
  async ready(): Promise<void> {
    this.#process.ref();
    await Promise.race([this.#ready.promise, this.#ended.promise]);
    this.#process.unref();
  }

  /** Runs tasks one after another. Those that the process did not answer before it ended have the reason of its end. */
  async run(tasks: readonly ChildTask[]): Promise<TaskRun[]> {
    await this.ready();
    const numbered = tasks.map(({ host, totalMs: _, ...task }) => {
      this.#lastId += 1;
      return { host, frame: { id: this.#lastId, ...task } };
    });
    const results = numbered.map(
      ({ frame, host }) =>
        new Promise<TaskRun>((resolve) => {
          if (!this.isAlive) resolve(endedFor(this.#reason ?? "crashed"));
          else this.#waiting.set(frame.id, { host, resolve });
        }),
    );
    this.#deadlineMs = Math.max(...tasks.map(({ deadlineMs }) => deadlineMs));
    this.#send({ kind: "tasks", tasks: numbered.map(({ frame }) => frame) });
    this.#expect();
    const totalMs = Math.min(...tasks.map((task) => task.totalMs ?? Number.POSITIVE_INFINITY));
    const total = Number.isFinite(totalMs) ? setTimeout(() => this.kill("deadline"), totalMs) : undefined;
    const answered = await Promise.all(results);
    clearTimeout(total);
    return answered;
  }

  /** Ends the process; its tasks end for this reason. */
  kill(reason: EndReason): void {
    this.#reason ??= reason;
    this.#process.kill("SIGKILL");
  }

  /** Ends the process and waits until it has ended. */
  async close(): Promise<void> {
    this.kill("crashed");
    this.#process.ref();
    await this.#ended.promise;
  }

  #listen(): void {
    this.#channel.on("data", (chunk: Buffer) => this.#read(chunk));
    // A process that ended breaks its pipes; its exit tells why.
    this.#channel.on("error", () => undefined);
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
    });
    this.#process.once("error", () => this.#end("crashed"));
    this.#process.once("exit", (_code, signal) => this.#end(this.#reasonOf(signal)));
  }

  #unrefPipes(): void {
    this.#channel.unref();
    if (this.#process.stderr instanceof Socket) this.#process.stderr.unref();
  }

  #read(chunk: Buffer): void {
    if (!this.isAlive) return;
    try {
      for (const { frame, attached } of this.#reader.read(chunk)) this.#take(frame, attached);
    } catch {
      // Too large, or not a value at all.
      this.kill("output");
    }
  }

  #take(frame: ChildFrame<never>, attached: readonly Buffer[]): void {
    switch (frame.kind) {
      case "ready":
        this.#readyBytes = frame.residentBytes;
        clearTimeout(this.#timer);
        limitData(this.#process.pid, this.#options.memoryBytesMax + MAPPED_BYTES, this.#ready.resolve);
        return;
      case "question":
        void this.#answer(frame.hasBytes ? { ...frame, input: new ByteChunks(attached, frame.input) } : frame);
        return;
      case "results":
        this.#residentBytes = frame.residentBytes;
        for (const { id, ...run } of frame.results) this.#resolve(id, run);
        this.#expect();
    }
  }

  #resolve(id: number, run: TaskRun): void {
    this.#waiting.get(id)?.resolve(run);
    this.#waiting.delete(id);
  }

  async #answer({ question, task, name, input }: Extract<ChildFrame<never>, { kind: "question" }>): Promise<void> {
    this.#questions.set(question, task);
    this.#expect();
    const answer = await answerOf(this.#waiting.get(task)?.host, name, input);
    this.#questions.delete(question);
    if (!this.isAlive) return;
    this.#sendAnswer(question, answer);
    this.#expect();
  }

  /** Gives the process its time from now on, unless it waits for an answer. While it works it keeps this process alive. */
  #expect(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) {
      this.#channel.unref();
      return;
    }
    this.#channel.ref();
    if (this.#questions.values().some((task) => this.#waiting.has(task))) return;
    this.#timer = setTimeout(() => this.kill("deadline"), WALL_FACTOR * this.#deadlineMs + GRACE_MS);
  }

  #sendAnswer(question: number, answer: Answer): void {
    if (answer.kind !== "value" || !(answer.value instanceof ByteChunks)) {
      this.#send({ kind: "answer", question, answer });
      return;
    }
    const { chunks, about } = answer.value;
    this.#send({ kind: "answer", question, answer: { kind: "bytes", about } }, chunks);
  }

  #send(frame: ParentFrame, attached: readonly Uint8Array[] = []): void {
    if (this.#channel.writable) writeFrame(this.#channel, encodeFrame(frame, attached));
  }

  #reasonOf(signal: NodeJS.Signals | null): EndReason {
    if (this.#reason !== undefined) return this.#reason;
    if (signal === DEADLINE_SIGNAL) return "deadline";
    if (signal === MEMORY_SIGNAL || signal === "SIGKILL" || OUT_OF_MEMORY.test(this.#stderr)) return "memory";
    return "crashed";
  }

  #end(reason: EndReason): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reason = reason;
    clearTimeout(this.#timer);
    this.#channel.destroy();
    for (const { resolve } of this.#waiting.values()) resolve(endedFor(reason));
    this.#waiting.clear();
    this.#ended.resolve();
    this.#options.onEnd(this);
  }
}

function endedFor(reason: EndReason): TaskRun {
  return { result: { kind: "ended", reason }, heldMs: 0 };
}

async function answerOf(host: Host = {}, name: string, input: unknown): Promise<Answer> {
  const ask = Object.hasOwn(host, name) ? host[name] : undefined;
  if (ask === undefined) return { kind: "error", message: `Nobody answers ${name}.` };
  try {
    return { kind: "value", value: await Reflect.apply(ask, undefined, [input]) };
  } catch (error) {
    return { kind: "error", message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Bounds what a process may map for its data beyond what it has mapped now, so that one large allocation fails before it takes memory. Linux
 * alone counts mappings of this kind, and V8 reserves more than any limit of address space could allow; elsewhere the watchdog is the limit.
 */
function limitData(pid: number | undefined, bytes: number, onDone: () => void): void {
  const mapped = pid === undefined ? undefined : mappedBytes(pid);
  if (mapped === undefined) {
    onDone();
    return;
  }
  const limit = mapped + bytes;
  // Where the command is missing the watchdog is the limit, too.
  execFile("prlimit", ["--pid", String(pid), `--data=${limit}:${limit}`], { timeout: LIMIT_MS_MAX }, () => onDone());
}

/** Returns bytes of private mappings that can be written; undefined elsewhere than on Linux, and of a process that has ended. */
function mappedBytes(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const [, kib] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kib === undefined ? undefined : KIB * Number(kib);
  } catch {
    return undefined;
  }
}
