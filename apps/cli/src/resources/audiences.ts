import { audiencesCount, audiencesExplain, audiencesValidate } from "../commands/audiencesCount.ts";
import { audiencesDiff } from "../commands/audiencesDiff.ts";
import type { Resource } from "../requests/run.ts";

export const audiences: Resource = {
  name: "audiences",
  summary: "Contacts that match criteria.",
  leaves: [audiencesCount, audiencesExplain, audiencesValidate, audiencesDiff],
};
