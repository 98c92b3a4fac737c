/** A message behind the position it is about; one that names its member in backticks already says where. */
export function atPath(path: string, message: string): string {
  return path === "" || message.startsWith("`") ? message : `${path}: ${message}`;
}
