import { type Account, jobSecretsContext, type OutsideSource } from "@headwater/contracts";
import type { RoutePorts } from "../../ports.ts";
import { headOfOutside } from "./headOfOutside.ts";
import type { ReadSource } from "./readSource.ts";

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
  const { kept, secrets, file, path } = read.file;
  const head = await headOfOutside(file, account.number, ports);
  const isGiven = Object.keys(secrets).length > 0;
  const sealed = isGiven ? ports.sealer?.seal(JSON.stringify(secrets), jobSecretsContext(account.id)) : undefined;
  const fileName = (path.split("/").at(-1) ?? "").slice(-FILE_NAME_CHARACTERS_MAX);
  return { kind: "outside", outside: kept, fileName, secrets: sealed, head };
}
