import type { AnswerDescription, Route } from "@headwater/http";
import { z } from "zod";

type Answers = Readonly<Record<number, AnswerDescription>>;

/** Answers of the parameters that many routes take. */
const byParameter: Readonly<Record<string, Answers>> = {
  after: {
    409: {
      description: "NOT_YET_APPLIED, with Retry-After: the records of the receipt in `after` are not visible yet.",
    },
  },
  per_page: { 422: { description: "VALIDATION_ERROR: the page is too large or too deep. Continue with the cursor." } },
};

/** The route with the answers that its parameters bring; those it describes itself stay. */
export function withSharedAnswers(route: Route): Route {
  const { query } = route.shapes;
  const known = query && z.toJSONSchema(query, { io: "input", unrepresentable: "any" }).properties;
  const shared: Answers = Object.assign({}, ...Object.keys(known ?? {}).map((name) => byParameter[name]));
  return { ...route, answers: { ...shared, ...route.answers } };
}
