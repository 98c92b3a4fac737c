import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

const MEMBERS = [
  member("--name <name>", "name", "key name"),
  member("--type <type>", "type", "string, number, boolean, date, geo or array; what was declared stays"),
];

export const attributes: Resource = {
  name: "attributes",
  summary: "Definitions of contacts' attributes.",
  leaves: [
    {
      usage: "ls",
      summary: "List the definitions.",
      examples: ["headwater attributes ls", "headwater attributes ls --type number -o csv"],
      operation: "listAttributes",
      columns: ["key", "name", "type", "index", "unique"],
      options: [
        filter("--type <type>", "type", "of this type"),
        { ...filter("--indexed <yes>", "indexed", "with an index, or without"), choices: ["true", "false"] },
      ],
    },
    {
      usage: "get <key>",
      summary: "Show one definition.",
      examples: ["headwater attributes get lifetime_value"],
      operation: "getAttribute",
    },
    {
      usage: "create <key>",
      summary: "Define an attribute.",
      examples: [
        "headwater attributes create plan --type string --name Plan",
        "headwater attributes create lifetime_value --type number --set-json 'validators={\"min\":0}'",
      ],
      operation: "createAttribute",
      input: "optional",
      defaults: ([key]) => ({ name: key }),
      body: ([key]) => ({ key }),
      options: MEMBERS,
    },
    {
      usage: "update <key>",
      summary: "Change a definition. A declared type cannot be changed.",
      examples: ["headwater attributes update plan --name Plan --set-json index=true"],
      operation: "updateAttribute",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "delete <key>",
      summary: "Delete a definition and the attribute of every contact.",
      examples: ["headwater attributes delete plan --yes"],
      operation: "deleteAttribute",
      confirm: ([key]) => `Delete the attribute ${key} of every contact?`,
    },
    {
      usage: "values <key>",
      summary: "Show the most frequent values; with --json also how many contacts have none.",
      examples: ["headwater attributes values country --limit 10"],
      operation: "listAttributevalues",
      rowsIn: "data",
      columns: ["value", "count"],
      options: [filter("--limit <n>", "limit", "at most so many values")],
    },
  ],
};
