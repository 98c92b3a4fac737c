import type { ContentPart, PreparedContent } from "../prepare/prepareContent.ts";
import type { RenderedMessage, RenderRequest } from "../render/renderMessage.ts";

/** Work of a render thread. */
export type RenderTask =
  | { readonly kind: "prepare"; readonly parts: readonly ContentPart[] }
  | { readonly kind: "render"; readonly request: RenderRequest };

/** A content that could not be rendered, as a value that goes between threads. */
export interface RenderProblem {
  readonly message: string;
  /** JSON pointer in the message. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  /** The message is one of Liquid, which may repeat values of the contact. */
  readonly holdsValues?: true;
}

export type TaskResult =
  | { readonly kind: "prepared"; readonly prepared: PreparedContent }
  | { readonly kind: "rendered"; readonly rendered: RenderedMessage }
  | { readonly kind: "failed"; readonly problem: RenderProblem };

/** Message of a render thread: `started` once the modules of its task are loaded. */
export type ThreadMessage = { readonly kind: "started" } | TaskResult;
