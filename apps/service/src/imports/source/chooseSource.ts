import { type Account, jobSecretsContext, type OutsideSource, sourceTransports } from "@headwater/contracts";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { ServicePorts } from "../../ports.ts";
import { readStorage } from "../../storage/readStorage.ts";
import { importRefused } from "../closedBody.ts";
import { headOfOutside } from "./headOfOutside.ts";
import type { OutsideFile } from "./outsideFile.ts";
import { readLink } from "./readLink.ts";
import { uploadIdOf } from "./uploadSource.ts";

export type SourcePorts = Pick<ServicePorts, "postgres" | "sealer" | "outbound">;

/** The source of an import, as its job keeps it. */
export type ChosenSource =
  | { readonly kind: "upload"; readonly id: string }
  | {
      readonly kind: "outside";
      readonly outside: OutsideSource;
      readonly fileName: string;
      /** Secrets that the request gave, sealed. */
      readonly secrets: string | undefined;
      /** The first bytes; undefined when nobody answered in time: the job goes on trying. */
      readonly head: Buffer | undefined;
    };

const AT = "/source";
const FILE_NAME_CHARACTERS_MAX = 255;

/**
 * Reads the member `source` of an import, and reads how a file outside begins.
 * @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR` with the path of every wrong member, `STORAGE_CONNECTION_ERROR`.
 */
export async function chooseSource(given: unknown, account: Account, ports: SourcePorts): Promise<ChosenSource> {
  const { transport, ...members } = typed(given);
  if (transport === "file") {
    expectOnly(members, ["path"]);
    return { kind: "upload", id: uploadIdOf(members.path) };
  }
  const isLink = transport === "http" || transport === "https";
  const { kept, secrets, file, path } = isLink
    ? readLink(transport, members, { sealer: ports.sealer, expectOnly })
    : readFile({ ...members, type: transport }, account, ports);
  const head = await headOfOutside(file, account.number, ports);
  const isGiven = Object.keys(secrets).length > 0;
  const sealed = isGiven ? ports.sealer?.seal(JSON.stringify(secrets), jobSecretsContext(account.id)) : undefined;
  const fileName = (path.split("/").at(-1) ?? "").slice(-FILE_NAME_CHARACTERS_MAX);
  return { kind: "outside", outside: kept, fileName, secrets: sealed, head };
}

type Typed = Readonly<Record<string, unknown>> & { readonly transport: (typeof sourceTransports)[number] };

function typed(given: unknown): Typed {
  if (given === undefined || given === null) throw wrong([{ path: "", code: "required", message: REQUIRED }]);
  if (typeof given !== "object" || Array.isArray(given))
    throw wrong([{ path: "", code: "type_mismatch", message: "The source must be an object." }]);
  const members: Readonly<Record<string, unknown>> = { ...given };
  const { transport } = members;
  const known = sourceTransports.find((one) => one === transport);
  if (known !== undefined) return { ...members, transport: known };
  const allowed = [...sourceTransports];
  const path = "/transport";
  if (transport === undefined) throw wrong([{ path, code: "required", message: "`transport` is required.", allowed }]);
  const message =
    transport === "gcs" ? "Use transport `s3` with the store's S3 interface." : "This transport is not supported.";
  throw wrong([{ path, code: "bad_value", message, allowed }]);
}

const REQUIRED = "`source` is required.";

function expectOnly(members: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const others = Object.keys(members).filter((name) => !names.includes(name));
  if (others.length === 0) return;
  const message = `The source has no such member. It has ${names.map((name) => `\`${name}\``).join(", ")}.`;
  throw wrong(
    others.map((name) => ({ path: `/${pointerStep(name)}`, code: "unknown_field", message, allowed: [...names] })),
  );
}

function readFile(given: object, account: Account, { sealer }: SourcePorts): OutsideFile {
  const read = readStorage(given, { account, sealer });
  if (!("kept" in read)) throw wrong(read.map((detail) => ({ ...detail, path: ofSource(detail.path) })));
  const { kept, secrets, storage } = read;
  const [member, path = ""] = storage.type === "s3" ? ["aws_path", storage.aws_path] : ["path", storage.path];
  if (path === "") {
    throw wrong([{ path: `/${member}`, code: "required", message: `\`${member}\` must name the file.` }]);
  }
  if (path.endsWith("/"))
    throw wrong([{ path: `/${member}`, code: "bad_value", message: `\`${member}\` must name a file, not a folder.` }]);
  return { kept, secrets, file: storage, path };
}

function ofSource(path: string): string {
  return path === "/type" ? "/transport" : path;
}

function wrong(problems: readonly ErrorDetail[]) {
  return importRefused(problems.map((detail) => ({ ...detail, path: `${AT}${detail.path}` })));
}
