import type { Account } from "@headwater/contracts";
import { bodyRefusal } from "@headwater/http";
import { safeParse, toDetails } from "@headwater/kernel";
import { z } from "zod";
import type { ServicePorts } from "../ports.ts";
import { type CheckedCriteria, checkBeforeSaving } from "./savedCriteria.ts";

/** A body as JSON has it: its members are read together with its criteria. */
export const anyBody = z.looseObject({});

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
  shape: z.ZodType<Body>,
  given: z.output<typeof anyBody>,
  { account, named, ports }: ReadingAudience,
): Promise<ReadAudience<Body>> {
  const parsed = safeParse(shape, given);
  const criteria = safeParse(criteriaShape, given.criteria);
  const checked = criteria.success ? await checkBeforeSaving(given.criteria, { account, named }, ports) : undefined;
  if (parsed.success) return { audience: parsed.data, checked };
  const rules = checked?.examined.kind === "invalid" ? checked.examined.details : [];
  throw bodyRefusal([...toDetails(parsed.error), ...rules]);
}

interface ReadingAudience {
  readonly account: Account;
  /** Key or id that criteria would name it by. */
  readonly named: string;
  readonly ports: Pick<ServicePorts, "postgres" | "clickHouse">;
}
