import { name } from "../../grammar/parts.ts";
import { parseAudience } from "../../parse/parseAudience.ts";
import type { ReferenceDefinition } from "../leaf.ts";
import type { AudienceLeaf } from "./audience.ts";

/** Contacts of a saved audience. */
export const audienceLeaf: ReferenceDefinition<AudienceLeaf> = {
  kind: "audience",
  forms: [{ audience: name.describe("Key or id of a saved audience, as it is defined now.") }],
  examples: [{ audience: "buyers" }],
  parse: parseAudience,
  nodeOf: ({ node }) => node,
};
