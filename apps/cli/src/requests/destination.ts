import type { Command } from "commander";
import { z } from "zod";
import { usageError } from "../failure.ts";
import { parseWith } from "../options.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Destination = Readonly<Record<string, string | number>>;

const schema = z.object({ destination: z.string().optional(), savedKey: z.string().min(1).optional() });
const SECRETS: ReadonlySet<string> = new Set([
  ...["aws_secret_access_key", "password", "privateKey", "sasToken", "accountKey"],
]);
const FORMS = "s3://bucket/path, sftp://user@host/path or azblob://account/container/path";

/** Adds the storage outside that an export is written to. */
export function addDestination(command: Command): Command {
  return command
    .option("--destination <url>", `write the files to a storage of yours: ${FORMS}`)
    .option(
      "--saved-key <key>",
      "entry of the account's `storage` that has its credentials; default: from the environment",
    );
}

/**
 * Reads where an export goes; undefined: it is kept in the installation. Credentials come from the environment or from a saved entry, and
 * never from the command line.
 * @throws HeadwaterError `USAGE`.
 */
export function destinationOf(input: unknown, env: Env): Destination | undefined {
  const { destination, savedKey } = parseWith(schema, Object(input));
  if (destination === undefined && savedKey !== undefined) throw usageError("--saved-key needs --destination.");
  if (destination === undefined) return undefined;
  const url = URL.parse(destination);
  if (url === null) throw usageError(`--destination takes ${FORMS}, and not ${destination}.`);
  if (url.password !== "") throw usageError("--destination takes no password: set SFTP_PASSWORD, or name --saved-key.");
  const credentials = savedKey === undefined ? credentialsOf(url.protocol, env) : { savedKey };
  return { ...pathOf(url), ...credentials };
}

/** Returns a destination as it may be shown. */
export function withoutCredentials(destination: Destination): Destination {
  return Object.fromEntries(
    Object.entries(destination).map(([name, value]) => [name, SECRETS.has(name) ? "…" : value]),
  );
}

function pathOf(url: URL): Destination {
  const path = decodeURIComponent(url.pathname);
  switch (url.protocol) {
    case "s3:":
      return { type: "s3", aws_bucket: needed(url.hostname, "a bucket"), ...optional("aws_path", path.slice(1)) };
    case "sftp:":
      return {
        ...{
          type: "sftp",
          server: needed(url.hostname, "a host"),
          username: needed(decodeURIComponent(url.username), "a user"),
        },
        ...{ path: path === "" ? "/" : path, ...(url.port !== "" && { port: Number(url.port) }) },
      };
    case "azblob:": {
      const [container = "", ...folders] = path.slice(1).split("/");
      return {
        ...{
          type: "azureblob",
          account: needed(url.hostname, "an account"),
          container: needed(container, "a container"),
        },
        ...optional("path", folders.join("/")),
      };
    }
    default:
      throw usageError(`--destination takes ${FORMS}, and not ${url.protocol}//.`);
  }
}

function credentialsOf(protocol: string, env: Env): Destination {
  switch (protocol) {
    case "s3:":
      return {
        aws_access_key_id: fromEnv(env, "AWS_ACCESS_KEY_ID"),
        aws_secret_access_key: fromEnv(env, "AWS_SECRET_ACCESS_KEY"),
        ...optional("aws_region", env.AWS_REGION ?? env.AWS_DEFAULT_REGION),
        ...optional("aws_endpoint", env.AWS_ENDPOINT_URL),
      };
    case "sftp:":
      return {
        ...(env.SFTP_PRIVATE_KEY ? { privateKey: env.SFTP_PRIVATE_KEY } : { password: fromEnv(env, "SFTP_PASSWORD") }),
        ...optional("hostKey", env.SFTP_HOST_KEY),
      };
    case "azblob:":
      return env.AZURE_STORAGE_SAS_TOKEN
        ? { sasToken: env.AZURE_STORAGE_SAS_TOKEN }
        : { accountKey: fromEnv(env, "AZURE_STORAGE_KEY") };
    default:
      return {};
  }
}

function fromEnv(env: Env, name: string): string {
  const value = env[name];
  if (value === undefined || value === "")
    throw usageError(`--destination needs ${name} in the environment, or --saved-key.`);
  return value;
}

function needed(part: string, what: string): string {
  if (part === "") throw usageError(`--destination names ${what}: ${FORMS}.`);
  return part;
}

function optional(name: string, value: string | undefined): Destination {
  return value === undefined || value === "" ? {} : { [name]: value };
}
