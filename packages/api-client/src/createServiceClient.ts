import { ClientError, type Request as Sent, toMembers } from "@headwater/client";
import createFetchClient, { type Client } from "openapi-fetch";
import { downloadFile, type FileBytes, type UploadOptions, uploadFile } from "./files.ts";
import type { components, paths } from "./generated/paths.ts";
import { type ReadOptions, readOptions, type ServiceClientOptions, type WarningEvent } from "./options.ts";
import { type Page, type PagesOptions, pagesOf, type Row } from "./pages.ts";
import { type CallOptions, methods, type OperationId, requestOf, type ServiceRequest } from "./request.ts";
import { createTransport, type ServiceAnswer, type Transport } from "./transport.ts";
import { type WaitOptions, waitForJob, waitForReceipt } from "./waiting.ts";

/** Answer to a dry run: it says what a write would do. */
export type DryRun = components["schemas"]["DryRun"];

export interface ServiceClient {
  /** Every route with its types: `api.GET("/v2/orders/{id}", { params: { path: { id } } })`. An answer that is no success throws. */
  readonly api: Client<paths>;
  /** An operation by its id, for callers that know it only when they run. @throws ClientError */
  call(operation: OperationId, options?: CallOptions): Promise<ServiceAnswer>;
  /** Any path of `/v2` or `/api`. @throws ClientError */
  request(request: ServiceRequest): Promise<ServiceAnswer>;
  /** Returns what a write would do, by an operation's id; nothing is written. @throws ClientError that the write would throw. */
  dryRun(operation: OperationId, options?: CallOptions): Promise<DryRun>;
  /** A list page by page, following its cursors. @throws ClientError */
  pages(operation: OperationId, options?: PagesOptions): AsyncGenerator<Page, void>;
  /** Sends a file for an import. @returns the `url` that the import's `source.path` takes. @throws ClientError */
  upload(file: Blob, options?: UploadOptions): Promise<string>;
  /** Fetches the file that a job's link names, of any size. @throws ClientError */
  download(link: string, signal?: AbortSignal): Promise<FileBytes>;
  /** @returns the job as it ended: `Done`, `Failed` or `Canceled`. @throws ClientError `timeout` */
  waitForJob(id: string, options?: WaitOptions): Promise<Row>;
  /** @returns the receipt when none of its records is pending. @throws ClientError `timeout` */
  waitForReceipt(receipt: string, options?: WaitOptions): Promise<Row>;
}

/**
 * A client of `/v2`. It repeats 429, 503 and `NOT_YET_APPLIED` after their `Retry-After`, and what got no answer, a few times;
 * a write keeps its Idempotency-Key then, so that it is done once.
 * Errors are thrown, where openapi-fetch returns them: calls, pages and waits then fail in one way.
 * @throws TypeError that names the option that is wrong.
 */
export function createServiceClient(input: ServiceClientOptions): ServiceClient {
  const options = readOptions(input);
  const send = createTransport(options);
  const { onWarning } = options;
  const request: ServiceClient["request"] = async ({ signal, ...one }) => {
    const answer = await send(toSent(one, options), signal);
    if (onWarning !== undefined) for (const warning of warningsOf(answer.body)) onWarning(warning);
    return answer;
  };
  const call: ServiceClient["call"] = (operation, more) => request(requestOf(operation, more));
  return {
    api: createFetchClient<paths>({
      baseUrl: options.baseUrl.href,
      fetch: (one) => asFetch(one, send),
      querySerializer: { array: { style: "form", explode: true } },
    }),
    call,
    request,
    async dryRun(operation, more = {}) {
      const { body } = await call(operation, { ...more, query: { ...more.query, dryRun: true } });
      if (isDryRun(body)) return body;
      throw new ClientError({
        kind: "refused",
        code: "UNREADABLE_ANSWER",
        message: "The answer is not one of a dry run.",
      });
    },
    pages: (operation, more) => pagesOf(call, operation, more),
    upload: (file, more = {}) => uploadFile(file, more, options),
    download: (link, signal) => downloadFile(link, signal, options),
    waitForJob: (id, more) => waitForJob(call, id, more),
    waitForReceipt: (receipt, more) => waitForReceipt(call, receipt, more),
  };
}

function toSent(request: Omit<ServiceRequest, "signal">, { baseUrl, intakeUrl }: ReadOptions): Sent {
  const { method, path, body, idempotencyKey, ifMatch } = request;
  if (!/^\/(v2|api)\//.test(path)) throw new TypeError("path must begin with /v2/ or /api/");
  const url = new URL(path.slice(1), path.startsWith("/api/") ? intakeUrl : baseUrl);
  const headers = {
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
  return { method, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

function isDryRun(body: unknown): body is DryRun {
  return toMembers(body).dryRun === true;
}

/** The library's requests go the way of all others. */
async function asFetch(request: Request, send: Transport): Promise<Response> {
  const method = methods.find((one) => one === request.method);
  if (method === undefined) throw new TypeError(`${request.method} is not a method of this API`);
  const body = await request.text();
  const headers = Object.fromEntries(request.headers);
  const sent = { method, url: new URL(request.url), headers, ...(body !== "" && { body }) };
  const answer = await send(sent, request.signal);
  return new Response(answer.text === "" ? null : answer.text, { status: answer.status, headers: answer.headers });
}

/** Returns the body of a typed call. There always is one: anything but a success was thrown. */
export function dataOf<Data>({ data }: { readonly data?: Data }): NonNullable<Data> {
  if (data !== undefined && data !== null) return data;
  throw new ClientError({ kind: "refused", code: "UNREADABLE_ANSWER", message: "The answer has no body." });
}

/** Returns the warnings of an answer that point into the request. */
function warningsOf(body: unknown): WarningEvent[] {
  const { warnings } = toMembers(body);
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((one): WarningEvent[] => {
    const { path, code, message, suggestion, allowed } = toMembers(one);
    if (typeof path !== "string" || typeof code !== "string" || typeof message !== "string") return [];
    const names: readonly unknown[] = Array.isArray(allowed) ? allowed : [suggestion];
    return [{ path, code, message, meant: names.filter((name) => typeof name === "string") }];
  });
}
