import { join } from "node:path";
import { rootFolder } from "../bootstrap/places.mjs";

/** Programs that run as processes of their own: our apps, and the `headwater` command as `cli`. */
export const programs = [
  "ingress",
  "projector",
  "worker",
  "sender",
  "service",
  "tracker",
  "automation",
  "cli",
] as const;
export type Program = (typeof programs)[number];

/** Variable that names the folder of the bundles that `npm test` and its like made. */
export const BUNDLES = "HEADWATER_BUNDLES";

/** Returns the TypeScript file of a program, which Node runs as it is. */
export function sourceOf(name: Program): string {
  return join(rootFolder, "apps", name, "src", "main.ts");
}

/** Returns what to start a program by: its bundle where there is one, else its source. */
export function scriptOf(name: Program, bundles: string | undefined = process.env[BUNDLES]): string {
  return bundles ? join(bundles, `${name}.mjs`) : sourceOf(name);
}
