import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from "pino";

export type { Logger };

/** Values of LOG_LEVEL, least silent first: `z.enum(LOG_LEVELS)`. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** Name of the process or part that writes; member `name` of every line. */
  readonly name: string;
  /** Default `info`. */
  readonly level?: LogLevel;
  /** Destination of the lines; default standard output, written at once so that nothing is lost when the process dies. */
  readonly destination?: DestinationStream;
}

const SECRET_MEMBERS = [
  "authorization",
  "Authorization",
  '["x-api-key"]',
  '["X-Api-Key"]',
  "cookie",
  "password",
  "apiKey",
  "api_key",
  "secret",
  "secrets",
  "token",
];
/** Secrets are searched for in the logged object and two levels into it (`req.headers.authorization`). */
const REDACTED_PATHS = ["", "*", "*.*"].flatMap((parent) => SECRET_MEMBERS.map((member) => join(parent, member)));
/** The user information of a URL anywhere in a line, error texts and stacks included. */
const URL_CREDENTIALS = /:\/\/[^\s"/?#\\@][^\s"/?#\\]*@/g;
const API_KEY = /hw_[0-9A-Za-z]{40}/g;

/** A logger of JSON lines with level names, ISO times, and without secrets. Payloads are the caller's duty: log none. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level ?? "info",
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorView },
    redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
    hooks: { streamWrite: withoutCredentials },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

/** Errors of lost connections carry the whole connection: kilobytes that say nothing, for each one that is lost. */
function errorView(error: Error): object {
  const { client: _connection, ...view } = stdSerializers.err(error);
  return view;
}

function withoutCredentials(line: string): string {
  return line.replace(URL_CREDENTIALS, "://[redacted]@").replace(API_KEY, "hw_[redacted]");
}

function join(parent: string, member: string): string {
  return parent === "" || member.startsWith("[") ? parent + member : `${parent}.${member}`;
}
