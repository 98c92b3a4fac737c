import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { homeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { findSupervisor } from "../../bootstrap/supervisorFile.mjs";
import { type BackgroundMessage, startDetached, supervisorLog } from "./detach.ts";
import { runInForeground } from "./foreground.ts";
import { parseStartOptions, type StartOptions } from "./options.ts";
import { resetHome } from "./reset.ts";

await runMain(async () => {
  const args = process.argv.slice(2);
  const options = parseStartOptions(args);
  const home = homeFolder(process.env);
  // What is written from here on, the logs first, is its owner's alone.
  process.umask(0o077);
  try {
    if (options.isBackground) await runInBackground(home, options);
    else await startFromTerminal(home, options);
  } finally {
    // The channel to the process that started us would keep us alive.
    if (process.connected) process.disconnect?.();
  }
});

async function startFromTerminal(home: string, options: StartOptions): Promise<void> {
  const other = findSupervisor(home);
  if (other !== undefined) {
    throw new Failure(`Headwater is already running for ${home} (process ${other.pid}): npm stop ends it.`);
  }
  if (options.isReset) await resetHome(home, options.isSure);
  if (options.isDetached) await startDetached(home, passedOn(options), say);
  else await runInForeground({ home, ...partsOf(options), say: sayAndLog(home), show: say });
}

function partsOf({ isEmpty, hasMail }: StartOptions) {
  return { loadsDemo: !isEmpty, hasMail };
}

function passedOn({ isEmpty, hasMail }: StartOptions): string[] {
  return [...(isEmpty ? ["--empty"] : []), ...(hasMail ? ["--mail"] : [])];
}

function sayAndLog(home: string): (line: string) => void {
  const log = supervisorLog(home);
  return (line) => {
    say(line);
    log.append(`${new Date().toISOString()} ${line}\n`);
  };
}

/** The same, with the one who waits for us in place of a terminal; from "ready" on we are on our own. */
async function runInBackground(home: string, options: StartOptions): Promise<void> {
  const log = supervisorLog(home);
  const show = (line: string) => report({ kind: "line", line });
  const sayToBoth = (line: string) => {
    log.append(`${new Date().toISOString()} ${line}\n`);
    show(line);
  };
  const onReady = () => {
    report({ kind: "ready" });
    return "detach" as const;
  };
  try {
    await runInForeground({ home, ...partsOf(options), say: sayToBoth, show, onReady });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isBug = error instanceof Error && !(error instanceof Failure);
    log.append(`${isBug ? error.stack : reason}\n`);
    report({ kind: "failed", reason });
    process.exitCode = 1;
  }
}

/** The waiting parent closes the channel when it has the outcome. */
function report(message: BackgroundMessage): void {
  if (process.connected) process.send?.(message);
}
