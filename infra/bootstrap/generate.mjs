import { ensureApiClient, hasGenerator } from "./apiClient.mjs";
import { runMain } from "./failure.mjs";
import { rootFolder } from "./places.mjs";

/** `node infra/bootstrap/generate.mjs`: generates what is not in git and is missing or stale; with `--force` in any case. */
await runMain(async () => {
  // After `npm ci --omit=dev` there is nothing to generate with, and nothing of ours that would need it.
  if (process.env.npm_lifecycle_event === "postinstall" && !hasGenerator(rootFolder)) return;
  ensureApiClient(rootFolder, { isForced: process.argv.includes("--force") });
});
