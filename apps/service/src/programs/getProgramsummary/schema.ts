import { z } from "zod";
import { numbersQuery, shownQuery } from "../numbersQuery.ts";
import { statsExample, statsShape } from "../statsView.ts";

export const query = z.strictObject(numbersQuery);

export const summaryAnswer = z.strictObject({
  name: z.string(),
  stats: statsShape,
  query: shownQuery,
  ct: z.string(),
  lm: z.string(),
  asOf: z.string(),
});

export const summaryExample = {
  name: "Spring sale",
  stats: statsExample,
  query: { start_date: "2026-03-01", end_date: "2026-03-31", timezone: "Europe/Berlin", channel_key: "email" },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
  asOf: "2026-03-31T22:47:12.000Z",
};
