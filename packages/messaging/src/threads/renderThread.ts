import { parentPort } from "node:worker_threads";
import { prepareContent } from "../prepare/prepareContent.ts";
import { ParsedContents } from "../render/parsedContents.ts";
import { RenderFailure, renderMessage } from "../render/renderMessage.ts";
import type { RenderTask, TaskResult, ThreadMessage } from "./tasks.ts";

const parsed = new ParsedContents();

/** Says something to the thread that waits. */
function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

async function work(task: RenderTask): Promise<TaskResult> {
  try {
    if (task.kind === "prepare") return { kind: "prepared", prepared: await prepareContent(task.parts) };
    return { kind: "rendered", rendered: renderMessage(task.request, parsed) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof RenderFailure))
      return { kind: "failed", problem: { message: message.slice(0, 500), path: "/message", holdsValues: true } };
    const { path, line, column, holdsValues } = error;
    return {
      kind: "failed",
      problem: {
        message,
        path,
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        ...(holdsValues && { holdsValues }),
      },
    };
  }
}

parentPort?.on("message", async (task: RenderTask) => {
  // Its modules take a second to load: that is no time of the content.
  if (task.kind === "prepare" && task.parts.some(({ kind }) => kind === "mjml")) await import("mjml");
  post({ kind: "started" });
  post(await work(task));
});
