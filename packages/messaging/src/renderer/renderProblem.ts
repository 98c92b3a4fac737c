import type { RenderedMessage } from "../render/renderMessage.ts";

/** Reason why a content could not be prepared or rendered. */
export interface RenderProblem {
  readonly message: string;
  /** JSON pointer in the message. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  /** The message is one of Liquid, which may repeat values of the contact. */
  readonly holdsValues?: true;
}

/** Result of a render as a value that goes between processes. */
export type RenderTaskResult =
  | { readonly kind: "rendered"; readonly rendered: RenderedMessage }
  | { readonly kind: "problem"; readonly problem: RenderProblem };
