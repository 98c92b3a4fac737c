import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LifecycleStage } from "./lifecycle.ts";
import type { Metrics } from "./metrics.ts";

/** The state of one thing a process needs; `detail` is for operators and holds no secret. */
export interface HealthCheck {
  /** False where the process can do nothing at all. */
  readonly ok: boolean;
  /** A part of its work does not go on; `detail` says which. */
  readonly isDegraded?: boolean;
  readonly detail?: string;
}

export interface OperationsOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Answers fast, from what is known; it is called at every probe. */
  readonly health: () => Readonly<Record<string, HealthCheck>> | Promise<Readonly<Record<string, HealthCheck>>>;
  readonly metrics: Metrics;
  /** A process that is starting or stopping is not ready, whatever the checks say. Default: running. */
  readonly stage?: () => LifecycleStage;
}

export interface OperationsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves what operators and orchestrators ask: `/health` (200 while the process turns its loop), `/ready` (JSON of all
 * checks; 200 when every one is ok and the process runs, else 503; `degraded` names the parts that do not go on) and `/metrics` (Prometheus text).
 */
export async function startOperations(options: OperationsOptions): Promise<OperationsServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0];
    answer(path, response, options).catch((error: unknown) => sendJson(response, 500, { error: textOf(error) }));
  });
  server.requestTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server.address()),
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function answer(path: string | undefined, response: ServerResponse, options: OperationsOptions): Promise<void> {
  switch (path) {
    case "/health":
      return sendJson(response, 200, { ok: true });
    case "/ready": {
      const checks = await checksOf(options);
      const ok = Object.values(checks).every((check) => check.ok);
      const degraded = Object.keys(checks).filter((name) => checks[name]?.isDegraded === true);
      return sendJson(response, ok ? 200 : 503, { ok, ...(degraded.length > 0 && { degraded }), checks });
    }
    case "/metrics":
      response.setHeader("content-type", options.metrics.contentType);
      response.end(await options.metrics.render());
      return;
    default:
      return sendJson(response, 404, { error: "Not found. Available: /health, /ready and /metrics." });
  }
}

/** Runs the checks of all parts. Those of a process that stops may be gone already, and are not run any more. */
async function checksOf({ health, stage }: OperationsOptions): Promise<Readonly<Record<string, HealthCheck>>> {
  const current = stage?.() ?? "running";
  const running = { ok: false, detail: current };
  if (current === "stopping") return { running };
  return current === "running" ? health() : { ...(await health()), running };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") {
    throw new Error("the operations server has no TCP address");
  }
  return address.port;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
