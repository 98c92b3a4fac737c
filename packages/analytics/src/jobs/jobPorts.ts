import { fileLink } from "../files/fileLink.ts";
import type { RoutePorts } from "../ports.ts";

/** Ports that showing jobs takes. */
export type JobPorts = Pick<RoutePorts, "postgres" | "secret" | "clock" | "cursors">;

/** @returns a function that makes links to files, valid from now on. */
export function linksOf({ secret, clock }: Pick<RoutePorts, "secret" | "clock">): (fileId: string) => string {
  return (fileId) => fileLink(fileId, secret, clock.nowMs());
}
