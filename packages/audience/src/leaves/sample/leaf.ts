import { z } from "zod";
import { sampleLeaf as selectSample } from "../../compile/sampleLeaf.ts";
import { sawOfSample } from "../../compile/sawSql.ts";
import { CRITERIA_LIMITS } from "../../limits.ts";
import { parseSample } from "../../parse/parseSample.ts";
import { sampleTrend } from "../../trend/contactTrend.ts";
import type { LeafDefinition } from "../leaf.ts";
import type { SampleLeaf } from "./sample.ts";

/** A stable share of all contacts. */
export const sampleLeaf: LeafDefinition<SampleLeaf> = {
  kind: "sample",
  forms: [
    {
      sample: z
        .strictObject({
          percent: z.number().min(0).max(100),
          from: z.number().min(0).max(100).optional(),
          salt: z.string().max(CRITERIA_LIMITS.saltCharactersMax).optional(),
        })
        .describe("A stable share, of two decimals at most; ranges side by side of one salt have nobody in common."),
    },
  ],
  examples: [{ sample: { percent: 10, salt: "spring" } }, { sample: { percent: 33.33, from: 33.33 } }],
  parse: parseSample,
  select: selectSample,
  trend: sampleTrend,
  saw: sawOfSample,
};
