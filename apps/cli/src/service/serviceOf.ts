import {
  type AnswerEvent,
  ClientError,
  createServiceClient,
  type RetryEvent,
  type ServiceClient,
  type WarningEvent,
} from "@headwater/api-client";
import { HeadwaterError } from "@headwater/kernel";
import type { Terminal } from "../terminal.ts";
import { type Access, INTAKE_ELSEWHERE, isIntakeAddressUnknown } from "./access.ts";

interface ServiceParts {
  readonly access: Access;
  readonly terminal: Pick<Terminal, "say">;
  readonly verbose: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** The client that a command works with: it reports retries, and with --verbose each answer, never the key. */
export function serviceOf({ access, terminal, verbose, headers }: ServiceParts): ServiceClient {
  const { baseUrl, intakeUrl, apiKey, source } = access;
  if (baseUrl === undefined) throw missing("The API URL is not configured", "HEADWATER_BASE_URL");
  if (apiKey === undefined) throw missingKey(source);
  const onRetry = ({ status, code, waitMs }: RetryEvent) => {
    const why = status === undefined ? "No response" : `The service says ${status} ${code ?? ""}`.trimEnd();
    terminal.say(`${why}; trying again in ${toSeconds(waitMs)} s.`);
  };
  const onAnswer = ({ method, path, status, elapsedMs }: AnswerEvent) =>
    terminal.say(`${method} ${path} -> ${status} in ${elapsedMs} ms`);
  try {
    const onWarning = sayOnce(terminal);
    const events = { onRetry, onWarning, ...(verbose && { onAnswer }) };
    const client = createServiceClient({ baseUrl, intakeUrl, apiKey, headers, ...events });
    return isIntakeAddressUnknown(access) ? sayingWhereIntakeIs(client) : client;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage: `${cause.message}.`, cause });
  }
}

/** Warnings of one command that are reported, pages included. */
const WARNINGS_MAX = 100;

function sayOnce(terminal: Pick<Terminal, "say">): (warning: WarningEvent) => void {
  const said = new Set<string>();
  return ({ path, code, message, meant }) => {
    const meaning = meant.length === 0 ? "" : ` Did you mean ${meant.join(", ")}?`;
    const line = `warning: ${path === "" ? "" : `${path}: `}${message}${meaning} (${code})`;
    if (said.has(line) || said.size >= WARNINGS_MAX) return;
    said.add(line);
    terminal.say(line);
  };
}

/** The same client, which tells who asks the service for a path of intake that intake may have another address. */
function sayingWhereIntakeIs(client: ServiceClient): ServiceClient {
  return {
    ...client,
    async request(request) {
      try {
        return await client.request(request);
      } catch (error) {
        const isElsewhere = error instanceof ClientError && error.status === 404 && request.path.startsWith("/api/");
        if (!isElsewhere) throw error;
        const { kind, code, status, requestId, details } = error;
        const message = `${error.message} ${INTAKE_ELSEWHERE}`;
        throw new ClientError({ kind, code, status, requestId, details, message, cause: error });
      }
    },
  };
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 100) / 10;
}

/** The error of a command that needs a key where there is none. @param source where one was searched for. */
export function missingKey(source: string): HeadwaterError {
  return missing(`No API key is configured (${source})`, "HEADWATER_API_KEY");
}

function missing(what: string, variable: string): HeadwaterError {
  const publicMessage = `${what}: sign in with headwater login, or set ${variable}.`;
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}
