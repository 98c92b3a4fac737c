import { z } from "zod";
import { afterQuery, storableText } from "../../paging/query.ts";
import {
  renderedExample as templateExample,
  renderedShape as templateShape,
} from "../../templates/renderTemplate/schema.ts";

export const params = z.strictObject({ id: storableText(1_024), contactID: storableText(1_024) });
export const query = z.strictObject({
  ...afterQuery,
  experiment: storableText(128).optional().describe("Name of the experiment whose `variant` is rendered."),
  variant: storableText(128).optional().describe("Given together with `experiment`."),
});
export type RenderQuery = z.output<typeof query>;

const experiment = z.strictObject({ name: z.string(), strategy: z.string(), variants: z.array(z.string()) });

export const renderedShape = templateShape.extend({ experiments: z.array(experiment) });
export const renderedExample = {
  ...templateExample,
  experiments: [{ name: "subject", strategy: "split", variants: ["short", "long"] }],
};
