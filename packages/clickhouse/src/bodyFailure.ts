import { parseError } from "@clickhouse/client";

/** The server reports an error that comes after the first byte in the last bytes of a body: at most 16 KiB and a frame around it. */
export const HELD_BYTES = 32 * 1024;

const MARK = "__exception__";

/**
 * Reads the error at the end of a body whose status was 200 already (ClickHouse, `WriteBufferFromHTTPServerResponse`): a line
 * `__exception__`, a line with the tag that the header `X-ClickHouse-Exception-Tag` promised, then the message. The tag is drawn for each
 * answer, so rows that hold such lines are no error.
 * @param tail at least the body's last 32 KiB.
 */
export function failureInBody(tail: Buffer, tag: string | undefined): Error | undefined {
  if (tag === undefined || tag === "") return undefined;
  const begin = `${MARK}\r\n${tag}\r\n`;
  const at = tail.lastIndexOf(begin);
  if (at < 0) return undefined;
  const message = tail.subarray(at + begin.length).toString("utf8");
  return parseError(message.split(`\r\n${MARK}`)[0]?.trim() ?? message);
}
