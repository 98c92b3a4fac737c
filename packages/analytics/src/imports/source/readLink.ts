import type { Sealer } from "@headwater/kernel";
import type { AddProblem } from "./addProblem.ts";
import type { OutsideFile } from "./outsideFile.ts";

const URL_CHARACTERS_MAX = 2_048;
const AT = "/url";

/** Reads a plain link, whose address may hold a signature; undefined where it is wrong. */
export function readLink(
  transport: "http" | "https",
  input: unknown,
  { sealer, add }: { readonly sealer: Sealer | undefined; readonly add: AddProblem },
): OutsideFile | undefined {
  if (input === undefined) return add(AT, "required", "`url` is required.");
  const url = typeof input === "string" && input.length <= URL_CHARACTERS_MAX ? URL.parse(input) : null;
  const protocols = transport === "https" ? ["https:"] : ["http:", "https:"];
  if (url === null || !protocols.includes(url.protocol))
    return add(AT, "bad_value", `\`url\` must be an ${transport} URL.`);
  if (url.username !== "" || url.password !== "")
    return add(AT, "bad_value", "`url` must have no user and no password.");
  if (sealer === undefined) return add(AT, "not_allowed", NO_KEY);
  return {
    kept: { type: transport },
    secrets: { url: url.href },
    file: { type: transport, url: url.href },
    path: url.pathname,
  };
}

const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";
