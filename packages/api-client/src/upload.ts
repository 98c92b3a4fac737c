import { randomUUID } from "node:crypto";
import { ClientError, readRefusal } from "@headwater/client";
import type { ReadOptions } from "./options.ts";

export interface UploadOptions {
  /** Name of the file, whose extension is its format. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a file to `/v2/uploads`, as it is read. It is sent once: a file may be too large to send again unasked.
 * @returns the `url` that an import's `source.path` takes. @throws ClientError
 */
export async function uploadFile(file: Blob, { name, signal }: UploadOptions, options: ReadOptions): Promise<string> {
  const { baseUrl, apiKey, headers } = options;
  const url = new URL("v2/uploads", baseUrl);
  if (name !== undefined) url.searchParams.set("name", name);
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
  const response = await fetch(url, {
    method: "POST",
    body: file,
    headers: { ...headers, authorization, "idempotency-key": randomUUID() },
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw new ClientError({
      kind: "undelivered",
      code: "UNDELIVERED",
      message: `${url.origin} did not take the file.`,
      cause,
    });
  });
  const text = await response.text();
  const body = parsed(text);
  if (!response.ok) throw readRefusal(response.status, body);
  const path = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
  if (typeof path === "string") return path;
  throw new ClientError({ kind: "refused", code: "UNREADABLE_ANSWER", message: "The answer names no upload." });
}

/** @returns undefined for what is no JSON, as of a proxy between. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
