/** The media type of a `Content-Type` header, lower case, without parameters. */
export function mediaTypeOf(header: string | undefined): string {
  if (header === undefined) return "";
  const semicolon = header.indexOf(";");
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}
