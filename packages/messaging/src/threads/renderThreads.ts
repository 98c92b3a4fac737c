import { Worker } from "node:worker_threads";
import { createFairGate, type FairGate, type FlowKey, HeadwaterError, isDeeperThan } from "@headwater/kernel";
import { messageLimits } from "../limits.ts";
import "./heldLibraries.ts";
import type { ContentPart, PreparedContent } from "../prepare/prepareContent.ts";
import type { RenderedMessage, RenderRequest } from "../render/renderMessage.ts";
import type { RenderProblem, RenderTask, TaskResult, ThreadMessage } from "./tasks.ts";

/** Renders contents that others wrote in threads that can be ended. */
export interface RenderThreads {
  /** Checks a content and prepares it. @throws HeadwaterError 429 or 503 when too many wait. */
  prepare(flow: FlowKey, parts: readonly ContentPart[]): Promise<PreparedContent | RenderProblem>;
  /** Renders a message for a contact, within 1 s. @throws HeadwaterError 429 or 503 when too many wait. */
  render(flow: FlowKey, request: RenderRequest): Promise<RenderedMessage | RenderProblem>;
  /** Ends all threads; what they were at fails. */
  close(): Promise<void>;
}

export interface RenderThreadsOptions {
  /** Default 2. */
  readonly threads?: number;
}

const THREADS_USUAL = 2;
const WAITING_PER_FLOW = 64;
const WAIT_MS_MAX = 15_000;
const PREPARE_MS_MAX = 10_000;
/** Time in which a new thread has loaded its modules, also on a machine that is busy. */
const START_MS_MAX = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const ENTRY = new URL("./renderThread.ts", import.meta.url);

/** Creates threads that start with their first work. One account never has all of them for itself. */
export function createRenderThreads({ threads = THREADS_USUAL }: RenderThreadsOptions = {}): RenderThreads {
  const gate = createFairGate({
    what: "renders",
    slots: threads,
    slotsPerFlow: Math.max(1, threads - 1),
    waitingPerFlow: WAITING_PER_FLOW,
    waitMsMax: WAIT_MS_MAX,
  });
  return new Threads(gate);
}

class Threads implements RenderThreads {
  readonly #gate: FairGate;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isClosed = false;

  constructor(gate: FairGate) {
    this.#gate = gate;
  }

  async prepare(flow: FlowKey, parts: readonly ContentPart[]): Promise<PreparedContent | RenderProblem> {
    const result = await this.#run(flow, { kind: "prepare", parts }, PREPARE_MS_MAX);
    return result.kind === "prepared" ? result.prepared : problemOf(result);
  }

  async render(flow: FlowKey, request: RenderRequest): Promise<RenderedMessage | RenderProblem> {
    const problem = problemOfContext(request.context);
    if (problem !== undefined) return problem;
    const result = await this.#run(flow, { kind: "render", request }, messageLimits.renderMs);
    return result.kind === "rendered" ? result.rendered : problemOf(result);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #run(flow: FlowKey, task: RenderTask, msMax: number): Promise<TaskResult> {
    return this.#gate.run(flow, async () => {
      if (this.#isClosed)
        throw new HeadwaterError({
          code: "SERVICE_UNAVAILABLE",
          status: 503,
          publicMessage: "The service is stopping.",
          retriable: true,
        });
      const worker = this.#idle.pop() ?? this.#start();
      const result = await runIn(worker, task, msMax);
      if (result === undefined) return this.#end(worker, `The content was not done within ${msMax / 1_000} s.`);
      if (result.kind === "lost") return this.#end(worker, "The content takes too much memory.");
      this.#idle.push(worker);
      return result;
    });
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, { resourceLimits, env: {}, stdin: false });
    worker.unref();
    this.#all.add(worker);
    // A thread that is ended may still fail when nobody waits for it any more.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      this.#all.delete(worker);
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return worker;
  }

  async #end(worker: Worker, message: string): Promise<TaskResult> {
    await worker.terminate();
    return { kind: "failed", problem: { message, path: "/message" } };
  }
}

interface Lost {
  readonly kind: "lost";
}

/** Runs a task in a thread. Resolves to undefined when its time is over, to `lost` when the thread died of it. */
function runIn(worker: Worker, task: RenderTask, msMax: number): Promise<TaskResult | Lost | undefined> {
  return new Promise((resolve) => {
    let timer = setTimeout(() => settle(undefined), START_MS_MAX);
    const settle = (result: TaskResult | Lost | undefined) => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onLost).off("exit", onLost);
      resolve(result);
    };
    const onLost = () => settle({ kind: "lost" });
    const onMessage = (message: ThreadMessage) => {
      if (message.kind !== "started") return settle(message);
      clearTimeout(timer);
      timer = setTimeout(() => settle(undefined), msMax);
    };
    worker.on("message", onMessage).on("error", onLost).on("exit", onLost);
    worker.postMessage(task);
  });
}

function problemOf(result: TaskResult): RenderProblem {
  return result.kind === "failed"
    ? result.problem
    : { message: "The thread answered something else.", path: "/message" };
}

function problemOfContext(context: Readonly<Record<string, unknown>>): RenderProblem | undefined {
  if (isDeeperThan(context, messageLimits.nesting)) {
    return { message: `The data are more than ${messageLimits.nesting} levels deep.`, path: "/mergeData" };
  }
  // Names of the merge data stand three times in it: once is what was given.
  const { mergeData = {} } = context;
  const others = Object.entries(context).filter(([name, value]) => !isMergeData(name, value, mergeData));
  const bytes = bytesOf({ ...Object.fromEntries(others), mergeData });
  if (bytes <= messageLimits.contextBytes) return undefined;
  const path = bytesOf(context.data ?? {}) > bytes / 2 ? "/message/data" : "/mergeData";
  return { message: `The data have more than ${messageLimits.contextBytes} bytes.`, path };
}

/** True for what the context shows of the merge data a second time. */
function isMergeData(name: string, value: unknown, mergeData: unknown): boolean {
  if (value === mergeData) return true;
  return typeof mergeData === "object" && mergeData !== null && Reflect.get(mergeData, name) === value;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
