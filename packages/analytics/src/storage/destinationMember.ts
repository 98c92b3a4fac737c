import { storageTypes } from "@headwater/contracts";
import { z } from "zod";

/** The member `destination` as the document shows it. What is in it is read by `chooseDestination`, which answers with the paths. */
export const destinationMember = z.unknown().meta({
  type: "object",
  description: `\`type\`: \`aws\` keeps the files here, as if it were absent; ${storageTypes.map((type) => `\`${type}\``).join(", ")} write them outside.`,
});
