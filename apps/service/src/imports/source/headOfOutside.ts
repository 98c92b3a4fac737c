import { refusal } from "@headwater/http";
import { createHostKeys, isClosedPort } from "@headwater/stores/destinations";
import { readSource, type SourceFile } from "@headwater/stores/sources";
import type { ServicePorts } from "../../ports.ts";

const ANSWER_TIMEOUT_MS = 5_000;
const HEAD_BYTES = 512;

/**
 * Reads how a file outside begins.
 * @returns undefined when nobody answers within 5 s. @throws HeadwaterError 422 `STORAGE_CONNECTION_ERROR` for a refusal.
 */
export async function headOfOutside(file: SourceFile, account: number, ports: HeadPorts): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await readHead(file, account, { ...ports, signal });
  } catch (error) {
    if (isClosedPort(error))
      throw refusal("STORAGE_CONNECTION_ERROR", "The storage connection failed: the port is closed.");
    if (signal.aborted || isRetriable(error)) return undefined;
    throw error;
  }
}

type HeadPorts = Pick<ServicePorts, "postgres" | "outbound" | "sftpChecks">;

async function readHead(
  file: SourceFile,
  account: number,
  { postgres, outbound, sftpChecks, signal }: HeadPorts & { readonly signal: AbortSignal },
): Promise<Buffer> {
  const hostKeys = createHostKeys(postgres, account);
  if (file.type === "sftp")
    return sftpChecks.readHead({ account, storage: file, outbound, hostKeys }, HEAD_BYTES, signal);
  const head: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readSource(file, { outbound, hostKeys }, signal)) {
    head.push(chunk.subarray(0, HEAD_BYTES));
    bytes += chunk.length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(head);
}

function isRetriable(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "retriable") === true;
}
