import { cacheFolder, portBase } from "../../bootstrap/places.mjs";
import { type Connection, connectionFile } from "./connection.ts";
import { readProcessCounts } from "./processCounts.ts";
import { Supervisor } from "./supervisor.ts";

export interface ForegroundOptions {
  readonly home: string;
  readonly loadsDemo: boolean;
  readonly hasMail: boolean;
  /** Each line of progress, for the terminal and the log. */
  readonly say: (line: string) => void;
  /** Writes to the terminal alone: the greeting holds a key. */
  readonly show: (line: string) => void;
  /** Called when everything is ready; with "detach" the end of the process that started us no longer ends us. */
  readonly onReady?: () => "detach";
}

/**
 * Runs everything until it is asked to end (Ctrl-C, SIGTERM, or the process that started us is gone), then stops in reverse
 * order. Throws the Failure that kept it from being ready, after stopping what was started.
 */
export async function runInForeground({
  home,
  loadsDemo,
  hasMail,
  say,
  show,
  onReady,
}: ForegroundOptions): Promise<void> {
  const { env } = process;
  const supervisor = new Supervisor({
    home,
    cache: cacheFolder(env),
    portBase: portBase(env),
    loadsDemo,
    hasMail,
    processes: readProcessCounts(env),
    onProgress: say,
  });
  const stopped = Promise.withResolvers<"stop">();
  const stop = () => stopped.resolve("stop");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  try {
    const started = await Promise.race([supervisor.start(), stopped.promise]);
    if (started !== "stop") {
      for (const line of greeting(started, home)) show(line);
      if (onReady?.() === "detach") process.off("disconnect", stop);
      await stopped.promise;
    }
  } finally {
    await supervisor.stop();
  }
  say("stopped");
}

/** Returns the greeting once all is ready: addresses, key, a first request. */
function greeting(connection: Connection, home: string): string[] {
  const { ingressUrl, serviceUrl, operationsUrl, trackingUrl, mailUrl, mailSmtpUrl, apiKey } = connection;
  const key = apiKey ?? "YOUR_KEY";
  const body = '{"identifiers":{"email":"ann@example.com"},"attributes":{"first_name":"Ann"},"canBeCreated":true}';
  return [
    "Headwater is ready.",
    `  intake       ${ingressUrl}/api  (described at ${ingressUrl}/docs)`,
    `  queries      ${serviceUrl}/v2`,
    `  tracking     ${trackingUrl}/t`,
    ...(mailUrl === null ? [] : [`  mail         ${mailUrl} (its mailboxes), ${mailSmtpUrl}`]),
    `  operations   ${operationsUrl}/health and /metrics`,
    `  key          ${apiKey ?? "known only to the home that made the account"}`,
    `  all of it    ${connectionFile(home)}`,
    "A first request:",
    `  curl -s ${ingressUrl}/api/upsertContact -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'`,
  ];
}
