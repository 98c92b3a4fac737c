import { Socket } from "node:net";
import { ByteChunks, encodeFrame, FrameReader, writeFrame } from "./frames.ts";
import {
  type Answer,
  type AskHost,
  CHANNEL,
  type ChildFrame,
  type ParentFrame,
  type ResultFrame,
  type TaskFrame,
} from "./protocol.ts";
import { startWatchdog, type Watchdog } from "./watchdogState.ts";

export { ByteChunks } from "./frames.ts";
export { HostSocket } from "./hostSocket.ts";
export type { AskHost } from "./protocol.ts";
export { type Refusable, refusable } from "./refusable.ts";

/** Work of a child process: pure functions of their input, which may be hostile, and of what the host answers. */
export type Tasks = Readonly<Record<string, (input: never, ask: AskHost) => unknown>>;

/** Results of shorter tasks go out together. */
const SHORT_TASK_MS = 5;
const RESULTS_MAX = 8;
const FAILURE_CHARACTERS = 500;
const US_PER_MS = 1_000;
/** Frames come from our own parent, which bounds them itself. */
const FRAME_BYTES_MAX = 2 ** 31;
const OUT_OF_MEMORY = /allocat|out of memory|Invalid (string|array|typed array) length|Array buffer/i;

/**
 * Serves tasks in this process, which a sandbox started. The first argument of the command line is the growth of memory that it may have.
 * The process ends with its parent, or by its watchdog.
 */
export async function serveTasks(tasks: Tasks): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  new TaskServer(tasks, await startWatchdog(Number(process.argv[2]))).start();
}

/** Returns milliseconds of processor time. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / US_PER_MS;
}

interface Question {
  readonly task: number;
  readonly resolve: (answer: Answer) => void;
}

class TaskServer {
  readonly #tasks: Tasks;
  readonly #watchdog: Watchdog;
  readonly #socket = new Socket({ fd: CHANNEL, readable: true, writable: true });
  readonly #reader = new FrameReader<ParentFrame>(FRAME_BYTES_MAX);
  readonly #questions = new Map<number, Question>();
  #asked = 0;
  readonly #queue: TaskFrame[] = [];
  #isWorking = false;
  /** Id of the task that is under way. */
  #current: number | undefined;
  #results: ResultFrame<unknown>[] = [];

  constructor(tasks: Tasks, watchdog: Watchdog) {
    this.#tasks = tasks;
    this.#watchdog = watchdog;
  }

  start(): void {
    this.#socket.on("data", (chunk: Buffer) => {
      for (const { frame, attached } of this.#reader.read(chunk)) this.#take(frame, attached);
    });
    this.#socket.on("close", () => process.exit(0));
    this.#socket.on("error", () => process.exit(0));
    this.#send({ kind: "ready", residentBytes: process.memoryUsage.rss() });
  }

  #take(frame: ParentFrame, attached: readonly Buffer[]): void {
    if (frame.kind === "tasks") {
      this.#queue.push(...frame.tasks);
      if (!this.#isWorking) void this.#work();
      return;
    }
    const question = this.#questions.get(frame.question);
    this.#questions.delete(frame.question);
    const { answer } = frame;
    const isBytes = answer.kind === "bytes";
    question?.resolve(isBytes ? { kind: "value", value: new ByteChunks(attached, answer.about) } : answer);
  }

  /** Runs tasks one after another; their results go out when the queue is empty, or when one took long. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      const began = performance.now();
      const asked = this.#asked;
      const cpu = process.cpuUsage();
      this.#current = task.id;
      this.#watchdog.expectWithin(task.deadlineMs);
      const result = await this.#run(task);
      this.#current = undefined;
      const heldMs = this.#asked === asked ? cpuMsSince(cpu) : performance.now() - began;
      this.#results.push({ id: task.id, heldMs, result });
      const isDue = performance.now() - began > SHORT_TASK_MS || this.#results.length >= RESULTS_MAX;
      if (isDue || this.#queue.length === 0) this.#flush();
    }
    this.#watchdog.expectWithin(undefined);
    this.#isWorking = false;
  }

  async #run({ id, name, input, deadlineMs }: TaskFrame): Promise<ResultFrame<unknown>["result"]> {
    const task = Object.hasOwn(this.#tasks, name) ? this.#tasks[name] : undefined;
    if (task === undefined) return { kind: "failed", message: `There is no task ${name}.` };
    const ask: AskHost = (question, about) => this.#ask({ task: id, name: question, input: about }, deadlineMs);
    try {
      return { kind: "done", output: await Reflect.apply(task, undefined, [input, ask]) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof RangeError && OUT_OF_MEMORY.test(message)) return { kind: "memory" };
      return { kind: "failed", message: message.slice(0, FAILURE_CHARACTERS) };
    }
  }

  /** The time that the host takes is none of the task, but for processor time. Each answer gives a task that is under way a new deadline. */
  async #ask(about: { task: number; name: string; input: unknown }, deadlineMs: number): Promise<unknown> {
    this.#asked += 1;
    const [question, { task }] = [this.#asked, about];
    const answered = new Promise<Answer>((resolve) => this.#questions.set(question, { task, resolve }));
    const { input } = about;
    if (input instanceof ByteChunks)
      this.#send({ kind: "question", question, ...about, input: input.about, hasBytes: true }, input.chunks);
    else this.#send({ kind: "question", question, ...about, hasBytes: false });
    if (this.#current === task) this.#watchdog.waitForHost();
    const answer = await answered;
    if (this.#current === task) this.#renew(task, deadlineMs);
    if (answer.kind === "error") throw new Error(answer.message);
    return answer.kind === "value" ? answer.value : undefined;
  }

  /** Gives a task its time again; its clock stands still while it waits for another answer. */
  #renew(task: number, deadlineMs: number): void {
    this.#watchdog.expectWithin(deadlineMs);
    if (this.#questions.values().some((question) => question.task === task)) this.#watchdog.waitForHost();
  }

  #flush(): void {
    if (this.#results.length === 0) return;
    this.#send({ kind: "results", results: this.#results, residentBytes: process.memoryUsage.rss() });
    this.#results = [];
  }

  #send(frame: ChildFrame, attached: readonly Uint8Array[] = []): void {
    writeFrame(this.#socket, encodeFrame(frame, attached));
  }
}
