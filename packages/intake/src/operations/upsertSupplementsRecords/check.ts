import type { ErrorDetail } from "@headwater/contracts";
import { checkRecord } from "@headwater/records/supplements/supplementCheck";
import type { Body } from "./schema.ts";

export function check({ records }: Body): readonly ErrorDetail[] {
  return records.flatMap((record, index) => checkRecord(record, `/records/${index}`));
}
