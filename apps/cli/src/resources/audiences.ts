import { audiencesCount, audiencesExplain, audiencesValidate } from "../commands/audiencesCount.ts";
import { audiencesDiff } from "../commands/audiencesDiff.ts";
import type { Resource } from "../requests/run.ts";

export const audiences: Resource = {
  name: "audiences",
  summary: "Which contacts a criteria holds for.",
  leaves: [audiencesCount, audiencesExplain, audiencesValidate, audiencesDiff],
};
