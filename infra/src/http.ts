/** Returns true when a GET of `url` is answered with 200. Throws what fetch throws (refused, aborted). */
export async function answersOk(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const response = await fetch(url, { signal, headers: { connection: "close", ...headers } });
  await response.arrayBuffer();
  return response.status === 200;
}
