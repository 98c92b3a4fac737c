/** `/v2/contacts/{primary_key}` is `/v2/contacts/:primary_key` in Fastify; a literal colon is doubled there. */
export function toFastifyPath(path: string): string {
  return path.replaceAll(":", "::").replaceAll(/\{([^{}]+)\}/g, ":$1");
}
