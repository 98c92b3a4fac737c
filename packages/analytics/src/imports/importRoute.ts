import { orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { ImportJobName, JobInput } from "@headwater/contracts";
import type { BodyParser, Route } from "@headwater/http";
import { expectTable, TABLE_UNKNOWN, tableParams } from "@headwater/records/supplements/tableShape";
import { type ClosedBody, PASSED_OVER } from "../closedBody.ts";
import { jobStarted, jobStartedExample } from "../jobs/jobSchema.ts";
import type { ImportBody } from "./importBodies.ts";
import { sourceExample } from "./source/sourceMember.ts";
import { type ImportPorts, type SourceInput, startImport } from "./startImport.ts";

/** Members of a body that its job does not read. */
type Unread = "source" | "confirmEmail" | "jobStatusWebhookUrl";

export interface ImportRoute<Name extends ImportJobName, Body extends ImportBody> {
  readonly jobName: Name;
  readonly path: string;
  readonly operationId: string;
  /** Rows in words: "contacts". */
  readonly rows: string;
  readonly description: string;
  readonly scope: string;
  readonly body: BodyParser<ClosedBody<Body>>;
  /** Members of the example next to its source. */
  readonly example: object;
  /** The source is lines of JSON alone. */
  readonly isJsonOnly?: boolean;
  /** The path names a supplement table. */
  readonly isOfTable?: boolean;
  inputOf(input: Omit<Body, Unread> & SourceInput, table: string): JobInput<Name>;
}

const UNUSABLE = {
  description:
    "IMPORT_CONFIGURATION_ERROR: the source or an option cannot be used. STORAGE_CONNECTION_ERROR: a source outside refuses. Nothing was started.",
};

/** Defines the route that starts one kind of import. */
export function defineImportRoute<Name extends ImportJobName, Body extends ImportBody>(
  route: ImportRoute<Name, Body>,
  ports: ImportPorts,
): Route {
  const { jobName, path, operationId, rows, description, scope, body, isJsonOnly = false, isOfTable = false } = route;
  return defineWriteRoute<{ readonly key?: string }, unknown, ClosedBody<Body>>({
    method: "POST",
    path,
    operationId,
    summary: `Starts a job that imports ${rows} from a file.`,
    description,
    tags: ["imports"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      ...(isOfTable && { 404: TABLE_UNKNOWN }),
      422: UNUSABLE,
    },
    requestExample: { source: sourceExample, ...route.example },
    scope,
    dryRun: { class: "checked", starts: () => "unknown" },
    rateClass: "jobStart",
    body,
    alsoKnown: () => PASSED_OVER,
    ...(isOfTable && { params: tableParams }),
    handler: ({ params, body: sent, once }) => {
      const { key: table = "" } = params ?? {};
      const inputOf = (request: Body, source: SourceInput) => {
        const { source: _source, confirmEmail: _email, jobStatusWebhookUrl: _url, ...options } = request;
        return route.inputOf({ ...options, ...source }, table);
      };
      return orFirstAnswer(ports.postgres, once, async () => {
        if (isOfTable) await expectTable(ports.postgres, once.caller.account.number, table);
        return startImport({ jobName, once, sent, isJsonOnly, inputOf }, ports);
      });
    },
  });
}
