import type { z } from "zod";
import { type Connection, connect, type HttpAnswer, wireRequest } from "./http/connection.ts";
import { serveTasks } from "./processes/serveTasks.ts";
import { type BodySeries, createBodies, routeOf } from "./records/bodies.ts";
import { type MakeRequest, numberedCalls } from "./records/numberedCalls.ts";
import { type HttpLoadResult, httpLoadTask } from "./tasks/httpLoadTask.ts";

/** Process: sends prepared requests over keep-alive connections and times the answers. */
serveTasks(async (task) => run(httpLoadTask.parse(task)));

const TICK_MS = 2;
/** Time to wait for answers once nothing more is sent. */
const TAIL_MS = 15_000;
const ACCEPTED = 202;

/** Bodies are made once for a series: the stretches that follow send the same ones. */
const prepared = new Map<string, Buffer[]>();

type Task = z.output<typeof httpLoadTask>;

interface Load {
  readonly task: Task;
  readonly requestAt: MakeRequest;
  /** Status of an answer whose time counts. */
  readonly accepted: number;
  readonly result: HttpLoadResult;
  readonly latencies: number[];
  next: number;
  underWay: number;
}

async function run(task: Task): Promise<HttpLoadResult> {
  const load = createLoad(task);
  const connections = await Promise.all(Array.from({ length: task.connections }, () => connect(task.port)));
  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  if (task.requestsPerSecond === undefined) await closedLoop(load, connections);
  else await openLoop(load, connections, task.requestsPerSecond);
  const cpu = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  for (const connection of connections) connection.close();
  return {
    ...load.result,
    seconds,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    latenciesMs: Float32Array.from(load.latencies),
  };
}

function createLoad(task: Task): Load {
  const isSeries = "series" in task;
  const requestAt = isSeries ? seriesOf(task) : numberedCalls(task.calls, basicAuth(task.apiKey));
  const accepted = isSeries ? ACCEPTED : task.calls.status;
  const result = {
    seconds: 0,
    cpuSeconds: 0,
    statuses: new Map<number, number>(),
    broken: 0,
    unsent: 0,
    withoutRetryAfter: 0,
    latenciesMs: new Float32Array(),
    requestIds: [],
  };
  return { task, requestAt, accepted, result, latencies: [], next: 0, underWay: 0 };
}

function seriesOf({ series, apiKey }: Pick<Extract<Task, { series: unknown }>, "series" | "apiKey">): MakeRequest {
  const name = JSON.stringify([series, apiKey]);
  const requests = prepared.get(name) ?? createRequests(series, apiKey);
  prepared.set(name, requests);
  return (position) => {
    const request = requests[position % requests.length];
    if (request === undefined) throw new Error("a series has at least one body");
    return request;
  };
}

function createRequests(series: BodySeries, apiKey: string): Buffer[] {
  const to = { method: "POST", path: routeOf(series), headers: { "x-api-key": apiKey } };
  return createBodies(series).map((body) => wireRequest({ ...to, body }));
}

function basicAuth(apiKey: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` };
}

/** Every connection sends its next request as soon as the last one was answered. */
async function closedLoop(load: Load, connections: readonly Connection[]): Promise<void> {
  const endMs = performance.now() + load.task.seconds * 1_000;
  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((resolve) => {
          const again = () => {
            if (performance.now() >= endMs || !connection.isOpen()) return resolve();
            send(load, connection, performance.now(), again);
          };
          again();
        }),
    ),
  );
}

/** Requests fall due at a steady rate; one that finds no free connection counts as not sent. */
async function openLoop(load: Load, connections: readonly Connection[], perSecond: number): Promise<void> {
  const free = [...connections];
  const startedAtMs = performance.now();
  const endMs = startedAtMs + load.task.seconds * 1_000;
  for (let due = 0; performance.now() < endMs; ) {
    const nowMs = performance.now();
    for (; startedAtMs + (due * 1_000) / perSecond <= nowMs; due++) {
      const connection = takeOpen(free);
      if (connection === undefined) load.result.unsent++;
      else
        send(
          load,
          connection,
          startedAtMs + (due * 1_000) / perSecond,
          () => connection.isOpen() && free.push(connection),
        );
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const tailMs = performance.now() + TAIL_MS;
  while (load.underWay > 0 && performance.now() < tailMs) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
}

/** Takes the connection that is free for the longest time: the server closes those that nobody needs for a while, and may do so as one is written to. */
function takeOpen(free: Connection[]): Connection | undefined {
  let connection = free.shift();
  while (connection !== undefined && !connection.isOpen()) connection = free.shift();
  return connection;
}

function send(load: Load, connection: Connection, dueAtMs: number, then: () => void): void {
  const request = load.requestAt(load.next++);
  load.underWay++;
  connection.send(request, (answer) => {
    load.underWay--;
    note(load, answer, performance.now() - dueAtMs);
    then();
  });
}

function note({ task, accepted, result, latencies }: Load, answer: HttpAnswer | undefined, latencyMs: number): void {
  if (answer === undefined) {
    result.broken++;
    return;
  }
  const { status } = answer;
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
  if (status === accepted) {
    latencies.push(latencyMs);
    if (task.keepsRequestIds === true) result.requestIds.push(requestIdOf(answer.body));
  } else if ((status === 429 || status === 503) && answer.retryAfterSeconds === undefined) {
    result.withoutRetryAfter++;
  }
}

function requestIdOf(body: string): string {
  const id = /"requestId":"([^"]+)"/.exec(body)?.[1];
  if (id === undefined) throw new Error(`an accepted request has an id: ${body.slice(0, 200)}`);
  return id;
}
