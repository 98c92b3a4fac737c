import { type Account, sourceTransports } from "@headwater/contracts";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { RoutePorts } from "../../ports.ts";
import { readStorage } from "../../storage/readStorage.ts";
import type { AddProblem } from "./addProblem.ts";
import type { OutsideFile } from "./outsideFile.ts";
import { readLink } from "./readLink.ts";
import { uploadIdOf } from "./uploadSource.ts";

/** The source of an import as its request says it. */
export type ReadSource =
  | { readonly kind: "upload"; readonly id: string }
  | { readonly kind: "outside"; readonly file: OutsideFile };

interface Reading {
  readonly account: Account;
  readonly sealer: RoutePorts["sealer"];
  /** Mistakes are added to these, each with its path. */
  readonly problems: ErrorDetail[];
}

const AT = "/source";

/** Reads the member `source` of an import; undefined where there is a problem. Nothing is connected. */
export function readSource(input: unknown, { account, sealer, problems }: Reading): ReadSource | undefined {
  const before = problems.length;
  const add: AddProblem = (path, code, message, allowed) => {
    problems.push({ path: `${AT}${path}`, code, message, ...(allowed && { allowed }) });
    return undefined;
  };
  const typed = readTransport(input, add);
  if (typed === undefined) return undefined;
  const { transport, ...members } = typed;
  const read = readMembers(transport, members, { account, sealer, add });
  return problems.length > before ? undefined : read;
}

type Transport = (typeof sourceTransports)[number];
type Members = Readonly<Record<string, unknown>>;

function readTransport(provided: unknown, add: AddProblem): (Members & { readonly transport: Transport }) | undefined {
  if (provided === undefined || provided === null) return add("", "required", "`source` is required.");
  if (typeof provided !== "object" || Array.isArray(provided))
    return add("", "type_mismatch", "The source must be an object.");
  const members: Members = { ...provided };
  const known = sourceTransports.find((one) => one === members.transport);
  if (known !== undefined) return { ...members, transport: known };
  if (members.transport === undefined)
    return add("/transport", "required", "`transport` is required.", sourceTransports);
  const message =
    members.transport === "gcs"
      ? "Use transport `s3` with the store's S3 interface."
      : "This transport is not supported.";
  return add("/transport", "bad_value", message, sourceTransports);
}

interface ReadingMembers extends Omit<Reading, "problems"> {
  readonly add: AddProblem;
}

function readMembers(transport: Transport, members: Members, reading: ReadingMembers): ReadSource | undefined {
  const { add } = reading;
  switch (transport) {
    case "file": {
      expectOnly(members, ["path"], add);
      const id = uploadIdOf(members.path, add);
      return id === undefined ? undefined : { kind: "upload", id };
    }
    case "http":
    case "https": {
      expectOnly(members, ["url"], add);
      return outside(readLink(transport, members.url, reading));
    }
    default:
      return outside(readFile({ ...members, type: transport }, reading));
  }
}

function outside(file: OutsideFile | undefined): ReadSource | undefined {
  return file && { kind: "outside", file };
}

function expectOnly(members: Members, names: readonly string[], add: AddProblem): void {
  const message = `The source has no such member. It has ${names.map((name) => `\`${name}\``).join(", ")}.`;
  for (const name of Object.keys(members))
    if (!names.includes(name)) add(`/${pointerStep(name)}`, "unknown_field", message, names);
}

function readFile(received: object, { account, sealer, add }: ReadingMembers): OutsideFile | undefined {
  const read = readStorage(received, { account, sealer });
  if (!("kept" in read)) {
    for (const { path, code, message, allowed } of read) add(ofSource(path), code, message, allowed);
    return undefined;
  }
  const { kept: stored, secrets, storage } = read;
  const [member, path = ""] = storage.type === "s3" ? ["aws_path", storage.aws_path] : ["path", storage.path];
  if (path === "") return add(`/${member}`, "required", `\`${member}\` must name the file.`);
  if (path.endsWith("/")) return add(`/${member}`, "bad_value", `\`${member}\` must name a file, not a folder.`);
  return { kept: stored, secrets, file: storage, path };
}

function ofSource(path: string): string {
  return path === "/type" ? "/transport" : path;
}
