import { type FlowKey, isDeeperThan } from "@headwater/kernel";
import {
  createSandbox,
  type EndReason,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
} from "@headwater/sandbox";
import { composeMail } from "../compose/composeMail.ts";
import type { ComposedMail, MailToCompose } from "../compose/mailToCompose.ts";
import { messageLimits } from "../limits.ts";
import type { ContentPart, PreparedContent } from "../prepare/prepareContent.ts";
import type { MappingExpression, MappingProblem } from "../providerEvents/readProviderEvents.ts";
import type { RenderedMessage, RenderRequest } from "../render/renderMessage.ts";
import type { ContentTasks } from "./contentProcess.ts";
import type { RenderProblem } from "./renderProblem.ts";

/** Prepares, renders and composes contents that others wrote, in processes of their own. */
export interface Renderer {
  /** Returns the validation errors of expressions in JMESPath. @throws HeadwaterError 429 or 503 when too many wait. */
  checkExpressions(flow: FlowKey, expressions: readonly MappingExpression[]): Promise<readonly MappingProblem[]>;
  /** Checks a content and prepares it. @throws HeadwaterError 429 or 503 when too many wait. */
  prepare(flow: FlowKey, parts: readonly ContentPart[]): Promise<PreparedContent | RenderProblem>;
  /** Renders a message for a contact, within 1 s. @throws HeadwaterError 429 or 503 when too many wait. */
  render(flow: FlowKey, request: RenderRequest): Promise<RenderedMessage | RenderProblem>;
  /** Puts a rendered mail together; a large one in a process, within 2 s. @throws HeadwaterError 429 or 503 when too many wait. */
  compose(flow: FlowKey, mail: MailToCompose): Promise<ComposedMail | RenderProblem>;
  /** Ends all processes; what they were at fails. */
  close(): Promise<void>;
}

export type RendererOptions = Pick<SandboxOptions, "processes" | "onEnded">;

const EXPRESSIONS_MS_MAX = 1_000;
const PREPARE_MS_MAX = 10_000;
const COMPOSE_MS_MAX = 2_000;
/**
 * Characters of a mail that is composed in this process: that takes some milliseconds of its loop, whatever the content is (`laws/composedMails`).
 * The way to a process and back costs as much again, which would slow down the sending of ordinary mails by a quarter.
 */
const COMPOSED_HERE_CHARACTERS_MAX = 128 * 1024;
const MIB = 1024 * 1024;
const MEMORY_BYTES_MAX = 256 * MIB;

/** Creates a renderer whose processes start with their first work. One account never has all of them for itself. */
export function createRenderer(options: RendererOptions = {}): Renderer {
  const entry = new URL("./contentProcess.ts", import.meta.url);
  const sandbox = createSandbox<ContentTasks>({
    ...options,
    name: "content",
    what: "renders",
    entry,
    memoryBytesMax: MEMORY_BYTES_MAX,
  });
  return new ContentRenderer(sandbox);
}

class ContentRenderer implements Renderer {
  readonly #sandbox: Sandbox<ContentTasks>;

  constructor(sandbox: Sandbox<ContentTasks>) {
    this.#sandbox = sandbox;
  }

  async checkExpressions(flow: FlowKey, expressions: readonly MappingExpression[]): Promise<readonly MappingProblem[]> {
    const outcome = await this.#sandbox.run(flow, "checkExpressions", expressions, { deadlineMs: EXPRESSIONS_MS_MAX });
    if (outcome.kind === "done") return outcome.output;
    return [{ path: "", message: "The expressions cannot be processed." }];
  }

  async prepare(flow: FlowKey, parts: readonly ContentPart[]): Promise<PreparedContent | RenderProblem> {
    const outcome = await this.#sandbox.run(flow, "prepare", parts, { deadlineMs: PREPARE_MS_MAX });
    return outcome.kind === "done" ? outcome.output : problemOf(outcome, PREPARE_MS_MAX);
  }

  async render(flow: FlowKey, request: RenderRequest): Promise<RenderedMessage | RenderProblem> {
    const problem = problemOfContext(request.context);
    if (problem !== undefined) return problem;
    const outcome = await this.#sandbox.run(flow, "render", request, { deadlineMs: messageLimits.renderMs });
    if (outcome.kind !== "done") return problemOf(outcome, messageLimits.renderMs);
    return outcome.output.kind === "rendered" ? outcome.output.rendered : outcome.output.problem;
  }

  async compose(flow: FlowKey, mail: MailToCompose): Promise<ComposedMail | RenderProblem> {
    if (charactersOf(mail) <= COMPOSED_HERE_CHARACTERS_MAX) return composeMail(mail);
    const outcome = await this.#sandbox.run(flow, "compose", mail, { deadlineMs: COMPOSE_MS_MAX });
    return outcome.kind === "done" ? outcome.output : problemOf(outcome, COMPOSE_MS_MAX);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

function charactersOf({ html, text, attachments = [] }: MailToCompose): number {
  return attachments.reduce((sum, { content }) => sum + content.length, html.length + text.length);
}

function problemOf(outcome: Exclude<SandboxOutcome<never>, { kind: "done" }>, msMax: number): RenderProblem {
  const path = "/message";
  if (outcome.kind === "failed") return { message: outcome.message, path, holdsValues: true };
  return { message: messageOf(outcome.reason, msMax), path };
}

function messageOf(reason: EndReason, msMax: number): string {
  switch (reason) {
    case "deadline":
      return `The content was not done within ${msMax / 1_000} s.`;
    case "memory":
      return "The content takes too much memory.";
    case "output":
      return "The content becomes too large.";
    case "crashed":
      return "The content cannot be processed.";
  }
}

function problemOfContext(context: Readonly<Record<string, unknown>>): RenderProblem | undefined {
  if (isDeeperThan(context, messageLimits.nesting)) {
    return { message: `The data are more than ${messageLimits.nesting} levels deep.`, path: "/mergeData" };
  }
  // Names of the merge data stand three times in it: once is what was given.
  const { mergeData = {} } = context;
  const others = Object.entries(context).filter(([name, value]) => !isMergeData(name, value, mergeData));
  const bytes = bytesOf({ ...Object.fromEntries(others), mergeData });
  if (bytes <= messageLimits.contextBytes) return undefined;
  const path = bytesOf(context.data ?? {}) > bytes / 2 ? "/message/data" : "/mergeData";
  return { message: `The data have more than ${messageLimits.contextBytes} bytes.`, path };
}

/** True for what the context shows of the merge data a second time. */
function isMergeData(name: string, value: unknown, mergeData: unknown): boolean {
  if (value === mergeData) return true;
  return typeof mergeData === "object" && mergeData !== null && Reflect.get(mergeData, name) === value;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
