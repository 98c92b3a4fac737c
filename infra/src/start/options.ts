import { parseArgs } from "node:util";
import { Failure } from "../../bootstrap/failure.mjs";

export interface StartOptions {
  readonly isDetached: boolean;
  readonly isEmpty: boolean;
  /** Starts the mail server also without the demo. */
  readonly hasMail: boolean;
  readonly isReset: boolean;
  readonly isSure: boolean;
  /** Set by --detach for the process that stays behind. */
  readonly isBackground: boolean;
}

/** The flags of `npm start -- …`; a Failure for one that is not known. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { detach: flag, empty: flag, mail: flag, reset: flag, yes: flag, background: flag },
    });
    return {
      isDetached: values.detach,
      isEmpty: values.empty,
      hasMail: values.mail || !values.empty,
      isReset: values.reset,
      isSure: values.yes,
      isBackground: values.background,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${reason} Known are --detach, --empty, --mail, --reset and --yes.`);
  }
}
