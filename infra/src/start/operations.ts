import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { SupervisedProcess } from "../supervisedProcess.ts";

const APP_TIMEOUT_MS = 2_000;

export interface OperationsOptions {
  readonly port: number;
  readonly services: () => ReadonlyMap<string, SupervisedProcess>;
  readonly apps: () => ReadonlyMap<string, SupervisedProcess>;
  /** The address of each app's own metrics. */
  readonly metricsUrls: ReadonlyMap<string, string>;
}

export interface Health {
  /** "ready" when all that should run does and answers. */
  readonly status: "ready" | "not ready";
  readonly services: Readonly<Record<string, { state: string; pid?: number }>>;
  readonly apps: Readonly<Record<string, { state: string; pid?: number }>>;
}

/** The supervisor's own endpoint: `/health` of all processes (200 or 503), `/metrics` of all apps. */
export async function startOperationsEndpoint(options: OperationsOptions): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request.url ?? "/", response, options).catch((error: unknown) => response.destroy(toError(error)));
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function answer(url: string, response: ServerResponse, options: OperationsOptions): Promise<void> {
  const path = url.split("?")[0];
  if (path === "/health") {
    const health = await readHealth(options);
    response.writeHead(health.status === "ready" ? 200 : 503, { "content-type": "application/json" });
    response.end(`${JSON.stringify(health)}\n`);
  } else if (path === "/metrics") {
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(await readMetrics(options));
  } else {
    response.writeHead(404, { "content-type": "text/plain" });
    response.end("here are /health and /metrics\n");
  }
}

async function readHealth(options: OperationsOptions): Promise<Health> {
  const services = await statesOf(options.services());
  const apps = await statesOf(options.apps());
  const isReady =
    options.apps().size > 0 &&
    [...Object.values(services), ...Object.values(apps)].every(({ state }) => state === "ready");
  return { status: isReady ? "ready" : "not ready", services, apps };
}

async function statesOf(processes: ReadonlyMap<string, SupervisedProcess>): Promise<Health["services"]> {
  const states = [...processes].map(async ([name, process]) => {
    const pid = process.pid();
    return [name, { state: await process.state(), ...(pid === undefined ? {} : { pid }) }] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

/** Our own two metrics, and the page of each app that answers. */
async function readMetrics(options: OperationsOptions): Promise<string> {
  const all = new Map([...options.services(), ...options.apps()]);
  const pages = new Map([["supervisor", await ownPage(all)]]);
  for (const [app, url] of options.metricsUrls) {
    const page = await fetchPage(url);
    if (page !== undefined) pages.set(app, page);
  }
  return mergeMetrics(pages);
}

async function ownPage(processes: ReadonlyMap<string, SupervisedProcess>): Promise<string> {
  const up = [...processes].map(
    async ([name, process]) => `headwater_process_up{process="${name}"} ${(await process.isReady()) ? 1 : 0}`,
  );
  const restarts = [...processes].map(
    ([name, process]) => `headwater_process_restarts_total{process="${name}"} ${process.restarts()}`,
  );
  const standstills = [...processes].map(
    ([name, process]) => `headwater_process_standstills_total{process="${name}"} ${process.standstills()}`,
  );
  return [
    "# HELP headwater_process_up Whether the process answers.",
    "# TYPE headwater_process_up gauge",
    ...(await Promise.all(up)),
    "# HELP headwater_process_restarts_total How often it was started again after it ended by itself.",
    "# TYPE headwater_process_restarts_total counter",
    ...restarts,
    "# HELP headwater_process_standstills_total How often it was killed because its event loop had stopped answering.",
    "# TYPE headwater_process_standstills_total counter",
    ...standstills,
  ].join("\n");
}

/** Undefined when the app is away, which headwater_process_up shows. */
async function fetchPage(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(APP_TIMEOUT_MS) });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

interface Family {
  readonly comments: string[];
  readonly samples: string[];
}

/**
 * One Prometheus page from those of several processes: each sample gets the label `app`, and the samples of one metric stand
 * together under one HELP and TYPE, as the format demands.
 */
export function mergeMetrics(pages: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [app, page] of pages) addPage(families, app, page);
  return [...families.values()]
    .flatMap(({ comments, samples }) => [...comments, ...samples])
    .join("\n")
    .concat("\n");
}

function addPage(families: Map<string, Family>, app: string, page: string): void {
  let current = "";
  for (const line of page.split("\n")) {
    const described = line.match(/^# (?:HELP|TYPE) (\S+)/)?.[1];
    if (described !== undefined) current = described;
    const sample = line.match(/^([A-Za-z_:][\w:]*)(\{(.*)\})?( .+)$/);
    if (described === undefined && sample === null) continue;
    const family = families.get(current) ?? { comments: [], samples: [] };
    families.set(current, family);
    if (sample !== null) family.samples.push(withApp(app, sample));
    else if (!family.comments.includes(line) && family.comments.length < 2) family.comments.push(line);
  }
}

function withApp(app: string, [, name, , labels, rest]: RegExpMatchArray): string {
  const others = labels === undefined || labels === "" ? "" : `,${labels}`;
  return `${name}{app="${app}"${others}}${rest}`;
}
