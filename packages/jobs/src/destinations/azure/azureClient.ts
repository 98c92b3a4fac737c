import { isIP } from "node:net";
import {
  AnonymousCredential,
  ContainerClient,
  type HttpOperationResponse,
  newPipeline,
  RestError,
  StorageSharedKeyCredential,
  type WebResource,
} from "@azure/storage-blob";
import type { AzureStorage } from "@headwater/contracts";
import type { HeadwaterError } from "@headwater/kernel";
import type { HttpAgents } from "../sandbox/hostAgents.ts";
import {
  ANSWER_BYTES_MAX,
  answerFailure,
  connectionFailure,
  type Refusal,
  storageAway,
  storageRefused,
} from "../storageFailure.ts";

const ATTEMPTS_MAX = 3;
const ATTEMPT_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 500;
const RETRY_DELAY_MAX_MS = 5_000;

/** Creates a client of the container. @throws HeadwaterError for an account key that is not base64. */
export function createContainerClient(storage: AzureStorage, { httpAgent, httpsAgent }: HttpAgents): ContainerClient {
  const pipeline = newPipeline(credentialOf(storage), {
    retryOptions: {
      maxTries: ATTEMPTS_MAX,
      tryTimeoutInMs: ATTEMPT_TIMEOUT_MS,
      retryDelayInMs: RETRY_DELAY_MS,
      maxRetryDelayInMs: RETRY_DELAY_MAX_MS,
    },
    keepAliveOptions: { enable: true },
  });
  pipeline.factories.push({
    create: (next) => ({
      async sendRequest(request) {
        request.agent = request.url.startsWith("https:") ? httpsAgent : httpAgent;
        return boundAnswer(request, (one) => next.sendRequest(one));
      },
    }),
  });
  return new ContainerClient(containerUrl(storage), pipeline);
}

/** The bytes of a blob are what is got without further parameters. */
function isFile({ method, url }: WebResource): boolean {
  const { searchParams } = new URL(url);
  return method === "GET" && !searchParams.has("comp") && !searchParams.has("restype");
}

/**
 * Ends a request whose answer has more than 1 MiB: the library reads it whole. The bytes of a blob are read after the answer has begun, a
 * refusal in its place is not.
 */
async function boundAnswer(
  request: WebResource,
  send: (request: WebResource) => Promise<HttpOperationResponse>,
): Promise<HttpOperationResponse> {
  const ended = new AbortController();
  // The library waits for ever for an answer whose request was ended while it is read.
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = (error: Error) => {
    ended.abort();
    reject(error);
  };
  const onAbort = () => end(storageAway("aborted"));
  const { abortSignal } = request;
  if (abortSignal?.aborted === true) onAbort();
  abortSignal?.addEventListener("abort", onAbort);
  request.abortSignal = ended.signal;
  let hasBegun = false;
  request.onDownloadProgress = ({ loadedBytes }) => {
    if (!hasBegun && loadedBytes > ANSWER_BYTES_MAX) end(storageRefused("longAnswer"));
  };
  try {
    const answer = await Promise.race([over, send(request)]);
    hasBegun = true;
    return answer;
  } finally {
    // An abort also ends the bytes of a blob that are still to be read.
    if (!isFile(request)) abortSignal?.removeEventListener("abort", onAbort);
    // The library tries again with the same request, also what was ended: it must find a signal that has fired.
    if (abortSignal !== undefined && !ended.signal.aborted) request.abortSignal = abortSignal;
  }
}

function credentialOf({ account, accountKey }: AzureStorage) {
  if (accountKey === undefined) return new AnonymousCredential();
  if (!/^[A-Za-z0-9+/]+=*$/.test(accountKey)) throw storageRefused("signIn");
  return new StorageSharedKeyCredential(account, accountKey);
}

/** Addresses of an emulator have the account in their path, those of Azure in their host. */
function containerUrl({ account, container, sasToken, endpoint }: AzureStorage): string {
  const url = new URL(endpoint ?? `https://${account}.blob.core.windows.net`);
  const isBare = url.pathname === "/";
  const isLocal = isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0 || url.hostname === "localhost";
  if (isBare && isLocal) url.pathname = `/${account}`;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${container}`;
  url.search = sasToken === undefined ? "" : sasToken.replace(/^\?/, "");
  return url.href;
}

const refusalsByCode: Readonly<Record<string, Refusal>> = {
  ContainerNotFound: "notThere",
  ContainerBeingDeleted: "notThere",
  BlobNotFound: "notThere",
  ResourceNotFound: "notThere",
  AuthenticationFailed: "signIn",
  InvalidAuthenticationInfo: "signIn",
  NoAuthenticationInformation: "signIn",
  AuthorizationFailure: "forbidden",
};
/** Signed in, and not allowed this: a token to write alone may not read the container. */
const MISMATCH = /^Authorization(Permission|Service|ResourceType|Protocol|SourceIP)Mismatch$/;

/** Returns true for a failure that shows that the token was accepted and only lacks the right. */
export function isLackOfRight(error: unknown): boolean {
  return error instanceof RestError && /^Authorization(Permission|ResourceType)Mismatch$/.test(error.code ?? "");
}

/** Runs a call and throws what is wrong in our words: the library's errors hold the URL with its token. */
export async function onAzure<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw azureFailure(error);
  }
}

function azureFailure(error: unknown): HeadwaterError {
  if (!(error instanceof RestError) || error.statusCode === undefined) return connectionFailure(error);
  const { statusCode, code = "" } = error;
  const refusal = MISMATCH.test(code) ? "forbidden" : refusalsByCode[code];
  if (refusal !== undefined) return storageRefused(refusal, code);
  return statusCode === 403 ? storageRefused("signIn", code) : answerFailure(statusCode, code);
}
