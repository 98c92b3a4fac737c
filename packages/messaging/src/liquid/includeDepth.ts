import type { Context, Emitter, Template } from "liquidjs";
import { messageLimits } from "../limits.ts";

/** Names of the tags that put an include in. */
export const INCLUDING: ReadonlySet<string> = new Set(["include", "render"]);

const TOO_DEEP = `Includes may stand ${messageLimits.includeDepth} levels deep in one another; this one may lead back to itself.`;

/**
 * Counts how deep the includes of one render stand in one another. A content that is saved is checked before; one that is read live may meet
 * includes that lead back to themselves by now.
 */
export class IncludeDepth {
  #depth = 0;

  /** Lets an including tag fail beyond the limit. */
  limit<Tag extends Template>(tag: Tag): Tag {
    const render = tag.render.bind(tag);
    const enter = () => {
      if (this.#depth >= messageLimits.includeDepth) throw new Error(TOO_DEEP);
      this.#depth += 1;
    };
    const leave = () => {
      this.#depth -= 1;
    };
    tag.render = function* (context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
      enter();
      try {
        return yield render(context, emitter);
      } finally {
        leave();
      }
    };
    return tag;
  }
}
