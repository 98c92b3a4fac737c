import { outsidePortsOf } from "@headwater/jobs/destinations/createDestination";
import { isLink, readSource, type SourceFile } from "@headwater/jobs/sources/openSource";
import type { RoutePorts } from "../../ports.ts";
import { callStorage } from "../../storage/callStorage.ts";

const HEAD_BYTES = 512;

/**
 * Reads how a file outside begins.
 * @returns undefined when nobody answers within 5 s. @throws HeadwaterError 422 `STORAGE_CONNECTION_ERROR` for a refusal.
 */
export function headOfOutside(file: SourceFile, account: number, ports: HeadPorts): Promise<Buffer | undefined> {
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
