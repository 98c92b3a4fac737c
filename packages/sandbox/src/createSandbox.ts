import { createFairGate, type FairGate, type FlowKey, HeadwaterError } from "@headwater/kernel";
import { type ChildTask, type EndReason, type Host, SandboxChild, type TaskResult } from "./childProcess.ts";
import type { AskHost } from "./protocol.ts";

/** A process works on one batch while the next is on its way. */
const BATCHES_MAX = 2;

/** Outcome of a task. `ended`: its process was ended for it, or died of it. */
export type SandboxOutcome<Output> =
  | { readonly kind: "done"; readonly output: Output }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "ended"; readonly reason: EndReason };

export interface SandboxOptions {
  /** Names the processes in logs and metrics: "content". */
  readonly name: string;
  /** Names what is shared in refusals: "This account has too many <what> under way." */
  readonly what: string;
  /** Module of the processes; it calls `serveTasks`. */
  readonly entry: URL;
  /** Processes at a time, at least 2: the last one is free for whoever comes. They start with the first work. */
  readonly processes?: number;
  /** Growth of one process above what it needs for itself; default 256 MiB. */
  readonly memoryBytesMax?: number;
  /** Bytes of all results of a batch; default 64 MiB. */
  readonly outputBytesMax?: number;
  /** Called when a process was ended for a task, or died of it. */
  readonly onEnded?: (ended: { readonly flow: FlowKey; readonly task: string; readonly reason: EndReason }) => void;
}

export interface TaskLimits {
  /**
   * Longest processor time of the task; where it asks its host, between two answers. On the clock it is ten times as much, so that a busy
   * machine ends no task.
   */
  readonly deadlineMs: number;
  /** Longest time of the task on the clock, its host's included. A task that always waits for an answer has no other limit. */
  readonly totalMs?: number;
  /** Answers what the task asks. */
  readonly host?: Host;
  readonly signal?: AbortSignal;
}

type TaskTable = object;
type InputOf<Task> = Task extends (input: infer Input, ask: AskHost) => unknown ? Input : never;
type OutputOf<Task> = Task extends (...provided: never) => infer Output ? Awaited<Output> : never;

/** Processes in which foreign content is worked on. */
export interface Sandbox<Tasks extends TaskTable> {
  /**
   * Runs a task in a process of its own memory and time.
   * @param flow account, or network of a stranger, that shares the processes with the others.
   * @throws HeadwaterError 429 when the flow has too many tasks waiting, 503 when the others have, or while it closes.
   */
  run<Name extends keyof Tasks & string>(
    flow: FlowKey,
    name: Name,
    input: InputOf<Tasks[Name]>,
    limits: TaskLimits,
  ): Promise<SandboxOutcome<OutputOf<Tasks[Name]>>>;
  /** Ends all processes; their tasks end. */
  close(): Promise<void>;
}

const PROCESSES_MIN = 2;
const MIB = 1024 * 1024;
const MEMORY_BYTES_MAX = 256 * MIB;
const OUTPUT_BYTES_MAX = 64 * MIB;
const WAITING_PER_FLOW = 64;
const WAIT_MS_MAX = 15_000;
/** Tasks of one flow that go to a process together. */
const BATCH_TASKS_MAX = 8;
/** Time in which a flow's further tasks go to the process that it has; then others have their turn. */
const TURN_MS = 50;
/** A flow whose task held a process longer (`TaskRun`) shares all processes but one with its like. */
const SLOW_MS = 250;
const SLOW_FOR_MS = 60_000;
const SLOW_FLOWS_MAX = 10_000;
const IDLE_MS_MAX = 120_000;
const SWEEP_MS = 30_000;
const CRASHED: TaskResult = { kind: "ended", reason: "crashed" };

/** Creates a pool of processes that are ended when a task passes its deadline or its memory, and replaced. */
export function createSandbox<Tasks extends TaskTable>(options: SandboxOptions): Sandbox<Tasks> {
  return new ProcessPool<Tasks>(options);
}

interface Pending {
  readonly task: ChildTask;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
  /** Aborted when a turn has taken it: it waits for no other. */
  readonly turn: AbortController;
  isTaken: boolean;
}

interface IdleChild {
  readonly child: SandboxChild;
  readonly sinceMs: number;
}

class ProcessPool<Tasks extends TaskTable> implements Sandbox<Tasks> {
  readonly #options: SandboxOptions;
  readonly #gate: FairGate;
  readonly #slowGate: FairGate;
  /** The one used last is the last; those that still start are the first. */
  readonly #idle: IdleChild[] = [];
  readonly #all = new Set<SandboxChild>();
  readonly #pending = new Map<FlowKey, Set<Pending>>();
  readonly #feeds = new Map<FlowKey, Set<Feed<Pending>>>();
  /** Time until which a flow counts as slow. */
  readonly #slowUntil = new Map<FlowKey, number>();
  readonly #sweeper: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#closeIdle(), SWEEP_MS).unref();
    const { what, processes = PROCESSES_MIN } = options;
    const slots = Math.max(PROCESSES_MIN, processes);
    const shared = { what, waitingPerFlow: WAITING_PER_FLOW, waitMsMax: WAIT_MS_MAX };
    this.#gate = createFairGate({ ...shared, slots, slotsPerFlow: slots - 1 });
    this.#slowGate = createFairGate({ ...shared, slots: slots - 1, slotsPerFlow: slots - 1 });
  }

  async run<Name extends keyof Tasks & string>(
    flow: FlowKey,
    name: Name,
    input: InputOf<Tasks[Name]>,
    { deadlineMs, totalMs, host, signal }: TaskLimits,
  ): Promise<SandboxOutcome<OutputOf<Tasks[Name]>>> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult<OutputOf<Tasks[Name]>>>();
    const pending: Pending = {
      task: { name, input, deadlineMs, totalMs, host },
      resolve,
      reject,
      turn: new AbortController(),
      isTaken: false,
    };
    const queue = this.#pending.get(flow) ?? new Set();
    this.#pending.set(flow, queue.add(pending));
    for (const feed of this.#feeds.get(flow) ?? []) feed.wake();
    const leave = () => pending.turn.abort(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await Promise.race([promise, this.#turn(flow, pending)]);
    } finally {
      signal?.removeEventListener("abort", leave);
      this.#forget(flow, pending);
    }
    return outcomeOf(await promise);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#all].map((child) => child.close()));
  }

  /** Waits for a process and gives it the task, with others of its flow. A task that another turn has taken needs none. */
  async #turn(flow: FlowKey, pending: Pending): Promise<void> {
    const { signal } = pending.turn;
    const work = () => (pending.isTaken ? Promise.resolve() : this.#serve(flow, pending));
    const gated = () => this.#gate.run(flow, work, { signal });
    try {
      await (this.#isSlow(flow) ? this.#slowGate.run(flow, gated, { signal }) : gated());
    } catch (error) {
      // It needs no turn of its own any more.
      if (!pending.isTaken) throw error;
    }
  }

  /** Feeds a process with the flow's tasks for a while, a batch ahead, so that the process never waits for this one. */
  async #serve(flow: FlowKey, first: Pending): Promise<void> {
    const batch = this.#take(flow, first);
    try {
      const child = this.#isClosed ? refuseClosing() : (this.#idleChild(flow) ?? this.#start());
      await child.ready();
      const feed = new Feed({
        endsAt: performance.now() + TURN_MS,
        take: () => (child.isAlive ? this.#take(flow) : []),
        run: (tasks) => this.#runBatch(flow, child, tasks),
      });
      const feeds = this.#feeds.get(flow) ?? new Set();
      this.#feeds.set(flow, feeds.add(feed));
      await feed.run(batch);
      feeds.delete(feed);
      if (feeds.size === 0) this.#feeds.delete(flow);
      this.#release(child);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Takes tasks that go to a process together. Those that ask their host run alone: they may take long. */
  #take(flow: FlowKey, first?: Pending): Pending[] {
    const others = [...(this.#pending.get(flow) ?? [])].filter((one) => one !== first && one.task.host === undefined);
    const batch =
      first?.task.host === undefined ? [...(first ? [first] : []), ...others].slice(0, BATCH_TASKS_MAX) : [first];
    for (const one of batch) {
      one.isTaken = true;
      this.#forget(flow, one);
      if (one !== first) one.turn.abort();
    }
    return batch;
  }

  #forget(flow: FlowKey, pending: Pending): void {
    const queue = this.#pending.get(flow);
    queue?.delete(pending);
    if (queue?.size === 0) this.#pending.delete(flow);
  }

  /** Resolves each task of a batch. Those that a process left without an answer when it ended run again, each alone: then the guilty one is known. */
  async #runBatch(flow: FlowKey, child: SandboxChild, batch: readonly Pending[]): Promise<void> {
    const runs = await child.run(batch.map(({ task }) => task));
    if (!child.isAlive || runs.some(({ heldMs }) => heldMs > SLOW_MS)) this.#markSlow(flow);
    for (const [index, one] of batch.entries()) {
      const result = runs[index]?.result ?? CRASHED;
      if (result.kind !== "ended") one.resolve(result);
      else one.resolve(batch.length === 1 ? this.#ended(flow, one, result) : await this.#runAlone(flow, one));
    }
  }

  async #runAlone(flow: FlowKey, one: Pending): Promise<TaskResult> {
    const child = this.#isClosed ? undefined : (this.#idleChild(flow) ?? this.#start());
    const [run] = (await child?.run([one.task])) ?? [];
    if (child !== undefined) this.#release(child);
    return this.#ended(flow, one, run?.result ?? CRASHED);
  }

  #ended(flow: FlowKey, { task }: Pending, result: TaskResult): TaskResult {
    if (result.kind === "ended") this.#options.onEnded?.({ flow, task: task.name, reason: result.reason });
    return result;
  }

  /** Takes the one used last. A slow flow waits for a process that is still to start: the others have those that are ready. */
  #idleChild(flow: FlowKey): SandboxChild | undefined {
    const take = () => (this.#isSlow(flow) ? this.#idle.shift() : this.#idle.pop());
    for (let one = take(); one !== undefined; one = take()) if (one.child.isAlive) return one.child;
    return undefined;
  }

  /** Ends processes that nobody has needed for a while, but for one. */
  #closeIdle(): void {
    const before = performance.now() - IDLE_MS_MAX;
    while (this.#idle.length > 1 && (this.#idle[0]?.sinceMs ?? before) < before) void this.#idle.shift()?.child.close();
  }

  #start(): SandboxChild {
    const { entry, memoryBytesMax = MEMORY_BYTES_MAX, outputBytesMax = OUTPUT_BYTES_MAX } = this.#options;
    const onEnd = (ended: SandboxChild) => void this.#all.delete(ended);
    const child = new SandboxChild({ entry, memoryBytesMax, outputBytesMax, onEnd });
    this.#all.add(child);
    return child;
  }

  /** A process that has grown by half of what it may is replaced, lest the next task pays for it. */
  #release(child: SandboxChild): void {
    const isUsable = child.isAlive && !child.hasGrown();
    if (!isUsable) void child.close();
    if (this.#isClosed) return;
    const sinceMs = performance.now();
    if (isUsable) this.#idle.push({ child, sinceMs });
    else this.#idle.unshift({ child: this.#start(), sinceMs });
  }

  #isSlow(flow: FlowKey): boolean {
    const until = this.#slowUntil.get(flow);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#slowUntil.delete(flow);
    return false;
  }

  #markSlow(flow: FlowKey): void {
    this.#slowUntil.delete(flow);
    this.#slowUntil.set(flow, performance.now() + SLOW_FOR_MS);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > SLOW_FLOWS_MAX && oldest !== undefined) this.#slowUntil.delete(oldest);
  }
}

function refuseClosing(): never {
  const publicMessage = "The service is stopping.";
  throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}

/** Returns a result as its caller sees it: parent and child are of one program, so an output is what the task's type says. */
function outcomeOf<Output>(result: TaskResult<Output>): SandboxOutcome<Output> {
  return result.kind === "memory" ? { kind: "ended", reason: "memory" } : result;
}

/** Passes batches on as long as there are any, a bounded number at a time. */
class Feed<Task> {
  readonly #options: FeedOptions<Task>;
  readonly #done = Promise.withResolvers<void>();
  #running = 0;
  #isWoken = false;

  constructor(options: FeedOptions<Task>) {
    this.#options = options;
  }

  /** Runs a batch and those that follow. @throws what running one of them throws. */
  async run(first: readonly Task[]): Promise<void> {
    this.#pass(first);
    this.wake();
    await this.#done.promise;
  }

  /** Takes more when the current turn of the event loop is over: what was offered in it goes together. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#running < BATCHES_MAX && performance.now() < this.#options.endsAt) {
      const batch = this.#options.take();
      if (batch.length === 0) break;
      this.#pass(batch);
    }
    if (this.#running === 0) this.#done.resolve();
  }

  #pass(batch: readonly Task[]): void {
    this.#running += 1;
    const onEnd = () => {
      this.#running -= 1;
      this.wake();
    };
    this.#options.run(batch).then(onEnd, this.#done.reject);
  }
}

interface FeedOptions<Task> {
  /** Time on the clock of `performance.now()` after which no more tasks are taken. */
  readonly endsAt: number;
  /** Takes the next batch; empty when nothing waits. */
  readonly take: () => Task[];
  readonly run: (batch: readonly Task[]) => Promise<void>;
}
