import { randomBytes } from "node:crypto";
import {
  createLogger,
  type Environment,
  injectTraceparent,
  type Logger,
  startTracing,
  tracer,
} from "@headwater/kernel";
import { type Command, CommanderError } from "commander";
import { type Addresses, readAddresses, readInstance, readVariables } from "./addresses.ts";
import type { Call } from "./call.ts";
import type { Connections } from "./connections.ts";
import { type ExitCode, exitCodeOf, exitCodes, sayFailure } from "./failure.ts";
import { parseOptions } from "./options.ts";
import { createProgram } from "./program.ts";
import { accessOf } from "./service/access.ts";
import { serviceOf } from "./service/serviceOf.ts";
import { readSettings } from "./settings/settings.ts";
import type { Terminal } from "./terminal.ts";

const EVERY_COMMAND = "1";

export interface RunOptions {
  /** Arguments typed after `headwater`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly terminal: Terminal;
  connect(addresses: Addresses, logger: Logger): Connections;
}

/** Results of one run. */
interface Ending {
  exitCode: ExitCode;
  trace?: Trace;
}

/** Runs one command to its end. Everything it has to say about failure was said. @returns the exit code. */
export async function runCommand(run: RunOptions): Promise<ExitCode> {
  const { args, terminal } = run;
  const ending: Ending = { exitCode: exitCodes.ok };
  const program = createProgram({ callOf: (command) => toCall(run, command, ending), terminal });
  try {
    await program.parseAsync([...args], { from: "user" });
    return ending.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    sayFailure(
      terminal,
      error,
      args.some((word) => word === "--verbose" || word === "-V"),
    );
    return exitCodeOf(error);
  } finally {
    await ending.trace?.end();
  }
}

function toCall({ env, terminal, connect }: RunOptions, command: Command, ending: Ending): Call {
  const typed = parseOptions(command.optsWithGlobals());
  const settings = readSettings(env, typed.profile);
  const options = typed.isFormatTyped ? typed : { ...typed, format: settings.config.output ?? typed.format };
  const logger = createLogger({
    name: "headwater",
    level: options.verbose ? "debug" : "silent",
    destination: { write: (line) => terminal.say(line.trimEnd()) },
  });
  const addresses = readAddresses(env);
  const headers = tracedHeaders(command, { isTraced: options.tracing, env, terminal, ending });
  const access = () =>
    accessOf({
      environment: readVariables(env),
      instance: readInstance(env),
      settings,
      isProfileTyped: options.profile !== undefined,
    });
  return {
    ...{ terminal, options, logger, env, addresses, settings, access },
    connections: connect(addresses, logger),
    service: (other) => serviceOf({ access: other ?? access(), terminal, verbose: options.verbose, headers }),
    fail: (exitCode = exitCodes.error) => {
      ending.exitCode = exitCode;
    },
  };
}

interface Tracing {
  readonly isTraced: boolean;
  readonly env: Environment;
  readonly terminal: Terminal;
  readonly ending: Ending;
}

function tracedHeaders(command: Command, { isTraced, env, terminal, ending }: Tracing): Record<string, string> {
  if (!isTraced) return {};
  const trace = startTrace(`headwater ${command.name()}`, env);
  ending.trace = trace;
  terminal.say(`trace ${trace.id}`);
  return { traceparent: trace.traceparent };
}

/** The trace of one command: its id goes with every request, so that the services' spans hang together under it. */
interface Trace {
  readonly id: string;
  readonly traceparent: string;
  /** Ends the command's own span and hands it to the collector, where there is one. */
  end(): Promise<void>;
}

/**
 * Starts the command's trace. With OTEL_EXPORTER_OTLP_ENDPOINT the command has a span of its own, which is exported; without it there is
 * an id, which the services' spans carry.
 */
function startTrace(name: string, env: Environment): Trace {
  const sampled = { ...env, OTEL_TRACES_SAMPLER_ARG: EVERY_COMMAND };
  const tracing = startTracing({
    serviceName: "headwater-cli",
    env: sampled,
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "",
  });
  const span = tracer().startSpan(name);
  const traceparent = injectTraceparent(span) ?? madeUp();
  return {
    id: traceparent.split("-")[1] ?? "",
    traceparent,
    async end() {
      span.end();
      await tracing.stop();
    },
  };
}

/** W3C Trace Context, version 00, sampled. */
function madeUp(): string {
  return `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
}
