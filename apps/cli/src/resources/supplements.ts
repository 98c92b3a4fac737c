import { supplementsRecordsImport } from "../commands/imports.ts";
import type { Resource } from "../requests/run.ts";
import { member, where } from "./filters.ts";

const records: Resource = {
  name: "records",
  summary: "The records of a supplement.",
  leaves: [
    {
      usage: "ls <table>",
      summary: "List records, filtered by fields that have an index.",
      examples: [
        "headwater supplements records ls cars",
        "headwater supplements records ls cars --where model=A --where 'year[gte]=2019' --sort year",
      ],
      operation: "listSupplementrecords",
      columns: ["id", "cID", "ct", "lm"],
      options: [where("--where <field=value>", "field=v or field[gt|gte|lt|lte]=v; may be repeated")],
    },
    {
      usage: "get <table> <id>",
      summary: "Show one record.",
      examples: ["headwater supplements records get cars car-1"],
      operation: "getSupplementrecord",
    },
    {
      usage: "add <table>",
      summary: "Create a record.",
      examples: ["headwater supplements records add cars --set id=car-1 --set model=A --set-json year=2019"],
      operation: "createSupplementrecord",
      input: "needed",
    },
    {
      usage: "put <table> <id>",
      summary: "Change fields of an existing record. Absent fields stay, null removes one.",
      examples: ["headwater supplements records put cars car-1 --set-json year=2020"],
      operation: "updateSupplementrecord",
      input: "needed",
    },
    {
      usage: "rm <table> <id>",
      summary: "Delete a record.",
      examples: ["headwater supplements records rm cars car-1 --yes"],
      operation: "deleteSupplementrecord",
      confirm: ([table, id]) => `Delete the record ${id} of ${table}?`,
    },
    supplementsRecordsImport,
  ],
};

export const supplements: Resource = {
  name: "supplements",
  summary: "Tables of records of any kind.",
  groups: [records],
  leaves: [
    {
      usage: "ls",
      summary: "List the tables.",
      examples: ["headwater supplements ls"],
      operation: "listSupplements",
      columns: ["key", "name", "contactObject", "createdAt", "lastDataUpdate"],
    },
    {
      usage: "get <table>",
      summary: "Show one table.",
      examples: ["headwater supplements get cars"],
      operation: "getSupplement",
    },
    {
      usage: "create <table>",
      summary: "Create a table.",
      examples: [
        'headwater supplements create cars --name Cars --set-json \'indexes=[{"field":"model","type":"string"}]\'',
        "headwater supplements create visits -f visits.json",
      ],
      operation: "createSupplement",
      input: "optional",
      defaults: ([key]) => ({ name: key }),
      body: ([key]) => ({ key }),
      options: [
        member("--name <name>", "name", "key name"),
        member("--contact-object", "contactObject", "each record belongs to a contact"),
        member("--autogenerate-ids", "autogenerateIDs", "records without an id get one"),
      ],
    },
    {
      usage: "update <table>",
      summary: "Change the name and the indexes of a table.",
      examples: ["headwater supplements update cars --set name=Vehicles"],
      operation: "updateSupplement",
      input: "needed",
    },
    {
      usage: "delete <table>",
      summary: "Delete a table with all its records.",
      examples: ["headwater supplements delete cars --yes"],
      operation: "deleteSupplement",
      confirm: ([key]) => `Delete the table ${key} with all its records?`,
    },
    {
      usage: "clear <table>",
      summary: "Remove all records of a table. It is empty at once; a job removes the stored records.",
      examples: ["headwater supplements clear cars --yes --wait"],
      operation: "clearSupplement",
      confirm: ([key]) => `Remove all records of ${key}?`,
    },
  ],
};
