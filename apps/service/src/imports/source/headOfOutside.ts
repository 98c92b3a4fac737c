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
export async function headOfOutside(
  file: SourceFile,
  account: number,
  { postgres, outbound }: Pick<ServicePorts, "postgres" | "outbound">,
): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const head: Buffer[] = [];
  let bytes = 0;
  const ways = { outbound: outbound.ofAccount(account), hostKeys: createHostKeys(postgres, account) };
  try {
    for await (const chunk of readSource(file, ways, signal)) {
      head.push(chunk.subarray(0, HEAD_BYTES));
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
    return Buffer.concat(head);
  } catch (error) {
    if (isClosedPort(error))
      throw refusal("STORAGE_CONNECTION_ERROR", "The storage connection failed: the port is closed.");
    if (signal.aborted || isRetriable(error)) return undefined;
    throw error;
  }
}

function isRetriable(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "retriable") === true;
}
