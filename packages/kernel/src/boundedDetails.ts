import type { ErrorDetail } from "./errors.ts";

/** A body of a few hundred kilobytes may be wrong in tens of thousands of members, and each may have a long name. */
const DETAILS_MAX = 100;
/** Details worth finding: one more than most answers show, so that they can tell that there are more. */
export const DETAILS_FOUND_MAX = DETAILS_MAX + 1;
const PATH_CHARACTERS_MAX = 16_384;
const MESSAGE_CHARACTERS_MAX = 1_024;
/** Characters of all details together, and of all their allowed values; no further detail is reported beyond them. */
const CHARACTERS_MAX = 65_536;
const ALLOWED_CHARACTERS_MAX = 65_536;

/** The details that an answer shows: the first ones, the first of all always. */
export function boundedDetails<Detail extends Pick<ErrorDetail, "path" | "message" | "allowed">>(
  details: readonly Detail[],
  countMax = DETAILS_MAX,
): Detail[] {
  const view: Detail[] = [];
  let characters = 0;
  let allowedCharacters = 0;
  for (const detail of details) {
    if (view.length === countMax) break;
    const bounded = { ...detail, path: boundedPointer(detail.path), message: boundedMessage(detail.message) };
    characters += bounded.path.length + bounded.message.length;
    for (const name of detail.allowed ?? []) allowedCharacters += name.length;
    const isTooMuch = characters > CHARACTERS_MAX || allowedCharacters > ALLOWED_CHARACTERS_MAX;
    if (view.length > 0 && isTooMuch) break;
    view.push(bounded);
  }
  return view;
}

/** Returns a message that tells how many details are shown where more were found. */
export function noteCut(
  message: string,
  { found, shown: displayed }: { readonly found: number; readonly shown: number },
): string {
  if (found <= displayed) return message;
  const [sentence, end] = message.endsWith(".") ? [message.slice(0, -1), "."] : [message, ""];
  return `${sentence}; the first ${displayed} details are shown${end}`;
}

/** A pointer that is too long is cut to the innermost position around it whose pointer is not. */
function boundedPointer(path: string): string {
  if (path.length <= PATH_CHARACTERS_MAX) return path;
  return path.slice(0, Math.max(0, path.lastIndexOf("/", PATH_CHARACTERS_MAX)));
}

/** A message with a name of the sender's in it. */
export function boundedMessage(message: string): string {
  if (message.length <= MESSAGE_CHARACTERS_MAX) return message;
  return `${message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed()}…`;
}
