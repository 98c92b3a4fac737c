import type { Sealer } from "@headwater/kernel";
import { importRefused } from "../closedBody.ts";
import type { OutsideFile } from "./outsideFile.ts";

const URL_CHARACTERS_MAX = 2_048;
const AT = "/source/url";

interface LinkRules {
  readonly sealer: Sealer | undefined;
  readonly expectOnly: (members: Readonly<Record<string, unknown>>, names: readonly string[]) => void;
}

/** Reads a plain link, whose address may hold a signature. @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`. */
export function readLink(
  transport: "http" | "https",
  members: Readonly<Record<string, unknown>>,
  { sealer, expectOnly }: LinkRules,
): OutsideFile {
  expectOnly(members, ["url"]);
  const { url: given } = members;
  if (given === undefined) throw wrong("required", "`url` is required.");
  const url = typeof given === "string" && given.length <= URL_CHARACTERS_MAX ? URL.parse(given) : null;
  const protocols = transport === "https" ? ["https:"] : ["http:", "https:"];
  if (url === null || !protocols.includes(url.protocol))
    throw wrong("bad_value", `\`url\` must be an ${transport} URL.`);
  if (url.username !== "" || url.password !== "") throw wrong("bad_value", "`url` must have no user and no password.");
  if (sealer === undefined) throw wrong("not_allowed", NO_KEY);
  return {
    kept: { type: transport },
    secrets: { url: url.href },
    file: { type: transport, url: url.href },
    path: url.pathname,
  };
}

const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";

function wrong(code: string, message: string) {
  return importRefused([{ path: AT, code, message }]);
}
