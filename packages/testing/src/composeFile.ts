import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { rootFolder } from "../../../infra/src/index.ts";

/** Settings that a container is started with. */
export interface ComposeService {
  readonly image: string;
  /** Variables, except those that name files of secrets: such files are compose's. */
  readonly environment: Readonly<Record<string, string>>;
  /** Empty: the image's own. */
  readonly command: readonly string[];
}

/** A service of infra/compose.yaml, so that versions and settings stand in one file. Throws when there is none. */
export function readComposeService(name: string): ComposeService {
  const file: unknown = parse(readFileSync(join(rootFolder, "infra", "compose.yaml"), "utf8"), { merge: true });
  const service = member(member(file, "services"), name);
  const image = member(service, "image");
  if (typeof image !== "string") throw new Error(`infra/compose.yaml has no service ${name} with an image`);
  const environment = Object.entries(Object(member(service, "environment") ?? {}));
  const command = member(service, "command") ?? [];
  if (!Array.isArray(command)) throw new Error(`the command of ${name} in infra/compose.yaml must be a list`);
  return {
    image,
    environment: Object.fromEntries(
      environment.filter(([key]) => !key.endsWith("_FILE")).map(([key, value]) => [key, String(value)]),
    ),
    command: command.map(String),
  };
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
