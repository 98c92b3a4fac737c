import { storageTypes } from "@headwater/contracts";
import { publishedAs } from "@headwater/http";
import { z } from "zod";

/** The member `destination`. What is in it is read by `chooseDestination`, which answers with the paths. */
export const destinationMember = publishedAs(
  z.unknown(),
  z.unknown().meta({
    type: "object",
    description: `\`type\`: \`aws\` keeps the files here, as if it were absent; ${storageTypes.map((type) => `\`${type}\``).join(", ")} write them outside.`,
  }),
);
