import { type Account, jobSecretsContext, type OutsideSource } from "@headwater/contracts";
import { outsidePortsOf } from "@headwater/jobs/destinations/createDestination";
import { isLink, readSource, type SourceFile } from "@headwater/jobs/sources/openSource";
import type { RoutePorts } from "../../ports.ts";
import { callStorage } from "../../storage/callStorage.ts";
import type { ReadSource } from "./readSource.ts";

const HEAD_BYTES = 512;

export type SourcePorts = Pick<RoutePorts, "postgres" | "sealer" | "outbound" | "storages">;

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

const FILE_NAME_CHARACTERS_MAX = 255;

/**
 * Chooses the source of an import, and reads how a file outside begins.
 * @throws HeadwaterError 422 `STORAGE_CONNECTION_ERROR`.
 */
export async function chooseSource(read: ReadSource, account: Account, ports: SourcePorts): Promise<ChosenSource> {
  if (read.kind === "upload") return read;
  const { kept: stored, secrets, file, path } = read.file;
  const head = await headOfOutside(file, account.number, ports);
  const isPresent = Object.keys(secrets).length > 0;
  const sealed = isPresent ? ports.sealer?.seal(JSON.stringify(secrets), jobSecretsContext(account.id)) : undefined;
  const fileName = (path.split("/").at(-1) ?? "").slice(-FILE_NAME_CHARACTERS_MAX);
  return { kind: "outside", outside: stored, fileName, secrets: sealed, head };
}

/**
 * Reads how a file outside begins.
 * @returns undefined when nobody answers within 5 s. @throws HeadwaterError 422 `STORAGE_CONNECTION_ERROR` for a refusal.
 */
function headOfOutside(file: SourceFile, account: number, ports: HeadPorts): Promise<Buffer | undefined> {
  return callStorage((signal) => readHead(file, account, { ...ports, signal }));
}

type HeadPorts = Pick<RoutePorts, "postgres" | "outbound" | "storages">;

async function readHead(
  file: SourceFile,
  account: number,
  { signal, ...ports }: HeadPorts & { readonly signal: AbortSignal },
): Promise<Buffer> {
  const outside = outsidePortsOf(account, ports);
  if (!isLink(file)) return outside.storages.readHead({ ...outside, storage: file }, HEAD_BYTES, signal);
  const head: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readSource(file, outside, signal)) {
    head.push(chunk.subarray(0, HEAD_BYTES));
    bytes += chunk.length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(head);
}
