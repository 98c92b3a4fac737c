import type { Account } from "@headwater/contracts";
import { bodyRefusal, type ReadBody } from "@headwater/http";
import { safeParse } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";
import { type CheckedCriteria, checkBeforeSaving } from "./savedCriteria.ts";

const criteriaShape = z.looseObject({});

export interface ReadAudience<Body> {
  readonly audience: Body;
  /** Absent: the body has no criteria. */
  readonly checked: CheckedCriteria | undefined;
}

/**
 * Reads the body of a saved audience and checks its criteria.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for wrong members, with all that is wrong with the criteria beside.
 */
export async function readAudienceBody<Body>(
  body: ReadBody<Body>,
  { account, named, ports }: ReadingAudience,
): Promise<ReadAudience<Body>> {
  const { criteria } = body.given;
  const isObject = safeParse(criteriaShape, criteria).success;
  const checked = isObject ? await checkBeforeSaving(criteria, { account, named }, ports) : undefined;
  if (body.kind === "valid") return { audience: body.content, checked };
  const rules = checked?.examined.kind === "invalid" ? checked.examined.details : [];
  throw bodyRefusal([...body.problems, ...rules]);
}

interface ReadingAudience {
  readonly account: Account;
  /** Key or id that criteria would name it by. */
  readonly named: string;
  readonly ports: Pick<RoutePorts, "postgres" | "clickHouse">;
}
