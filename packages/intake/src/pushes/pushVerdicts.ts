import type { Answer } from "@headwater/http";
import { limits } from "../entry/limits.ts";
import { setAside } from "../operations/setAside/setAside.ts";
import type { JudgedPush } from "./judgePush.ts";

/** Answers the verdicts on the parts of a push that is not written: counts, warnings, and the reason of each part that would be refused. */
export function pushVerdicts({ items, accepted, refused }: JudgedPush, requestId: string): Answer {
  const rejected = (items.get(setAside) ?? []).flatMap(({ index, records }) =>
    records.map(({ members: { code, path, message } }) => ({ index, status: "rejected", code, message, path })),
  );
  const warnings = [...items.values()]
    .flat()
    .flatMap(({ index, warnings: ofItem }) => ofItem.map((warning) => ({ index, ...warning })))
    .slice(0, limits.warnings);
  return { status: 200, body: { requestId, valid: accepted, rejected: refused, items: rejected, warnings } };
}
