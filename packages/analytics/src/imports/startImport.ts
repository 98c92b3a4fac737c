import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { Account, ImportJobName, JobInput } from "@headwater/contracts";
import { listIdOf, listIdsByText } from "@headwater/criteria";
import { type Answer, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import { takeUpload } from "@headwater/jobs/uploads/uploads";
import { type ErrorDetail, nearestName } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { findNamedLists } from "@headwater/records/lists/namedLists";
import type { ClosedBody } from "../closedBody.ts";
import type { RoutePorts } from "../ports.ts";
import { readNotices } from "../storage/chooseNotices.ts";
import { HEAD_BYTES, headerProblems, namesColumns } from "./headerProblems.ts";
import type { ImportBody } from "./importBodies.ts";
import { mappingProblems } from "./mappingProblems.ts";
import { type ChosenSource, chooseSource } from "./source/chooseSource.ts";
import { type ReadSource, readSource } from "./source/readSource.ts";
import { findUpload, headOfUpload, UPLOAD_GONE } from "./source/uploadSource.ts";

export type ImportPorts = Pick<
  RoutePorts,
  "clock" | "files" | "postgres" | "queue" | "sealer" | "outbound" | "storages" | "canMail"
>;
/** The part of a job's input that says where its rows are. */
export type SourceInput = Pick<JobInput<ImportJobName>, "upload" | "outside" | "fileName">;

export interface ImportStart<Name extends ImportJobName, Body extends ImportBody> {
  readonly jobName: Name;
  readonly once: OnceCall;
  readonly sent: ClosedBody<Body>;
  /** Lines of JSON alone: no header is asked for. */
  readonly isJsonOnly: boolean;
  inputOf(body: Body, source: SourceInput): JobInput<Name>;
}

/**
 * Starts an import. An upload is kept for it from now on; a file outside must answer.
 * @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR` with all that is wrong, `STORAGE_CONNECTION_ERROR`, 429.
 */
export async function startImport<Name extends ImportJobName, Body extends ImportBody>(
  start: ImportStart<Name, Body>,
  ports: ImportPorts,
): Promise<Answer> {
  const { jobName, once, sent, isJsonOnly, inputOf } = start;
  const { given: provided, members: body } = sent;
  const { id: createdBy } = once.caller;
  // The key's cache may not know yet what the account saved just now.
  const { account } = await readAccountDocument(ports.postgres, once.caller.account.number);
  const ofBody = problemsOfBody(sent);
  const problems = [...ofBody, ...optionProblems(provided)];
  const { problems: ofNotices, notices, warnings } = readNotices(provided, account, ports);
  problems.push(...ofNotices, ...(ofBody.length > 0 ? [] : await nameProblems(body, account, ports.postgres)));
  const wanted = readSource(provided.source, { account, sealer: ports.sealer, problems });
  const names = isJsonOnly || namesColumns(provided);
  const looking = { account, ports, nowMs: ports.clock.nowMs(), names };
  if (wanted === undefined || problems.length > 0)
    throw importRefused([...problems, ...(await uploadProblems(wanted, ports.postgres, looking))]);
  const source = await chooseSource(wanted, account, ports);
  return runOnce(ports.postgres, once, async (transaction) => {
    const ofSource = await sourceProblems(source, transaction, looking);
    if (ofSource.length > 0) throw importRefused(ofSource);
    const jobId = await startJob(transaction, ports.queue, {
      account: account.number,
      jobName,
      input: inputOf(body, inputOfSource(source)),
      metadata: metadataOf(source, body),
      ...(source.kind === "outside" && { secrets: source.secrets }),
      notices,
      madeBy: createdBy,
      nowMs: looking.nowMs,
    });
    if (source.kind === "upload") await takeUpload(transaction, { account: account.number, id: source.id, job: jobId });
    const answer = startedJob(jobId, warnings.length === 0 ? {} : { warnings });
    return { answer, kept: answer.body };
  });
}

/** Returns the validation errors of a body, each unknown member with the name that it may have meant. `readSource` reports those of the source. */
function problemsOfBody({ problems, names }: ClosedBody<unknown>): ErrorDetail[] {
  const ofOptions = problems.filter(({ path }) => path !== "/source");
  return ofOptions.map((detail) => {
    if (detail.code !== "unknown_field") return detail;
    const nearest = nearestName(detail.path.slice(detail.path.lastIndexOf("/") + 1), names);
    return nearest === undefined ? detail : { ...detail, allowed: [nearest] };
  });
}

function importRefused(details: readonly ErrorDetail[]) {
  const [first] = details;
  const { message = "The import cannot be started.", path = "" } = first ?? {};
  const at = path === "" ? "" : ` ${path.slice(1)}:`;
  return refusal("IMPORT_CONFIGURATION_ERROR", `The import is not configured correctly.${at} ${message}`, { details });
}

/** Finds fault with what the request names. */
async function nameProblems(
  body: ImportBody,
  account: Pick<Account, "number" | "settings">,
  session: Session,
): Promise<ErrorDetail[]> {
  return [...(await mappingProblems(body, account, session)), ...(await listProblems(body, account, session))];
}

interface Looking {
  readonly account: Pick<Account, "id" | "number">;
  readonly ports: ImportPorts;
  readonly nowMs: number;
  /** The request says what the columns are, or none are asked for. */
  readonly names: boolean;
}

/** Finds fault with an upload: it is gone, or says nowhere what its columns are. */
async function uploadProblems(
  source: ReadSource | undefined,
  session: Session,
  { account, ports, nowMs, names }: Looking,
): Promise<readonly ErrorDetail[]> {
  if (source?.kind !== "upload") return [];
  const upload = await findUpload(session, { account: account.number, id: source.id, nowMs });
  if (upload === undefined) return [UPLOAD_GONE];
  if (names) return [];
  const head = await headOfUpload(upload, { files: ports.files, accountId: account.id, bytesMax: HEAD_BYTES });
  return head === undefined ? [UPLOAD_GONE] : headerProblems({ name: upload.name ?? "", head });
}

function sourceProblems(
  source: ChosenSource,
  session: Session,
  looking: Looking,
): Promise<readonly ErrorDetail[]> | readonly ErrorDetail[] {
  if (source.kind === "upload") return uploadProblems(source, session, looking);
  return looking.names ? [] : headerProblems({ name: source.fileName, head: source.head });
}

function inputOfSource(source: ChosenSource): SourceInput {
  if (source.kind === "upload") return { upload: source.id };
  return { outside: source.outside, fileName: source.fileName };
}

function metadataOf(source: ChosenSource, { importName, dryRun }: ImportBody): object {
  return {
    ...(source.kind === "upload" && { upload: source.id }),
    ...(importName !== undefined && { importName }),
    ...(dryRun === true && { dryRun }),
  };
}

const DELIMITERS = ["comma", "semicolon", "tab", "pipe", "blanks"];

/** Options of the right type whose values are wrong. */
function optionProblems({ delimiter, encoding }: ClosedBody<unknown>["given"]): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (typeof delimiter === "string" && !isDelimiter(delimiter)) {
    const message = "The delimiter must be one character, or comma, semicolon, tab, pipe or blanks.";
    problems.push({ path: "/delimiter", code: "bad_value", message, allowed: DELIMITERS });
  }
  if (typeof encoding === "string" && !isEncoding(encoding))
    problems.push({ path: "/encoding", code: "bad_value", message: "The encoding is not known." });
  return problems;
}

function isDelimiter(text: string): boolean {
  return ([...text].length === 1 || DELIMITERS.includes(text.toLowerCase())) && !/["\r\n\0]/.test(text);
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Finds the lists that every row is to be put on, and that no import can make: an id that no list has, and in an account with
 * `strictLists` a name that none has. No list is one that rows are put on and taken off.
 */
async function listProblems(
  { lists }: ImportBody,
  { number: account, settings }: Pick<Account, "number" | "settings">,
  session: Session,
): Promise<ErrorDetail[]> {
  if (lists === undefined) return [];
  const { addTo = [], removeFrom = [] } = lists;
  const all = [...addTo, ...removeFrom].map(String);
  const ids = all.flatMap((reference) => listIdOf(reference) ?? []);
  const found = await findNamedLists(session, { account, names: all, ids });
  const known = listIdsByText(
    all.map((reference) => reference.toLowerCase()),
    found,
  );
  const unknown = addTo.map(String).flatMap((reference, index) => {
    if (known.has(reference.toLowerCase())) return [];
    if (listIdOf(reference) === undefined && !settings.strictLists) return [];
    return { path: `/lists/addTo/${index}`, code: "unknown_reference", message: "No list has this name or id." };
  });
  const meant = (reference: string | number) =>
    known.get(String(reference).toLowerCase()) ?? String(reference).toLowerCase();
  const added = new Set(addTo.map(meant));
  const twice = removeFrom.find((reference) => added.has(meant(reference)));
  if (twice === undefined) return unknown;
  const message = `${JSON.stringify(twice)} is in \`addTo\` and in \`removeFrom\`.`;
  return [...unknown, { path: "/lists", code: "bad_value", message }];
}
