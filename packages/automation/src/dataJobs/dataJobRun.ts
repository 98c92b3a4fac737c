import { defineImportJob } from "@headwater/analytics/imports/importJob";
import type { Reading, RowRead, RowReader } from "@headwater/analytics/imports/importKind";
import type { JobInput } from "@headwater/contracts";
import type { JobKind } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import { z } from "zod";
import { isLogged, operationsOfTargets, toItem } from "./acceptMade.ts";
import type { Mapper } from "./createMapper.ts";
import { expandRows } from "./expandRows.ts";
import { exportMadeRecords } from "./exportMadeRecords.ts";
import { mappingShape } from "./mapping.ts";
import { sealedSecrets } from "./startRun.ts";
import { writeMadeProducts } from "./writeMadeProducts.ts";

type Input = JobInput<"DataAutomationProcessList">;

const JOB_NAME = "DataAutomationProcessList";
const target = z.object({ target: z.string() });

/**
 * Runs of data jobs. Records of a target that the log takes go the way of rows of an import: each has an index that follows from the source
 * alone, so what a killed worker wrote and did not report is written again, and the state knows it.
 */
export function createDataJobRun(ports: { readonly mapper: Mapper }): JobKind {
  const logged = defineImportJob(JOB_NAME, {
    operationOf: (input) => operationsOfTargets[loggedTarget(input)],
    reader: async (reading) => readerOf(reading, ports.mapper),
  });
  const products = writeMadeProducts(ports);
  const exported = exportMadeRecords(ports);
  return {
    jobName: JOB_NAME,
    prepare(work, jobPorts) {
      const { target: type } = target.parse(work.input);
      if (type === "export") return exported.prepare(work, jobPorts);
      const kind = type === "products" ? products : logged;
      return kind.prepare({ ...work, secrets: sealedSecrets.decode(work.secrets).source }, jobPorts);
    },
  };
}

function loggedTarget({ target: type }: Pick<Input, "target">) {
  if (!isLogged(type)) throw new Error(`records of ${type} are not written to the log`);
  return type;
}

/** Reads made records, which are items of their operation. */
function readerOf({ account, input, header }: Reading<Input>, mapper: Mapper): RowReader {
  const mapping = mappingShape.parse(input.recordMapping);
  const made = { type: input.target, ...(input.targetKey !== undefined && { key: input.targetKey }) };
  const read = (row: Row): RowRead => {
    if (row.kind !== "object")
      return { kind: "refused", code: "VALIDATION_ERROR", path: null, message: "The row is not a record." };
    return { kind: "item", item: toItem(row.members, made) };
  };
  return {
    ...{ newAttributes: [], newLists: [], ignoredColumns: [], read },
    expand: (rows, from) => expandRows(rows, { account: account.number, mapping, header, made: from }, mapper),
  };
}
