import { listsAdd, listsRemove } from "../commands/listsMembers.ts";
import type { Resource } from "../requests/run.ts";
import { filter, member } from "./filters.ts";

export const lists: Resource = {
  name: "lists",
  summary: "Lists of contacts.",
  leaves: [
    {
      usage: "ls",
      summary: "List the lists.",
      examples: ["headwater lists ls", "headwater lists ls --name vip --json"],
      operation: "listAccountlists",
      columns: ["id", "name", "enhanced"],
      options: [filter("--name <name>", "name", "with this name")],
    },
    {
      usage: "get <id>",
      summary: "Show one list.",
      examples: ["headwater lists get 1"],
      operation: "getAccountlist",
    },
    {
      usage: "create <name>",
      summary: "Create a list.",
      examples: ["headwater lists create spring-2026", "headwater lists create spring-2026 --enhanced"],
      operation: "createAccountlist",
      body: ([name]) => ({ name }),
      options: [member("--enhanced", "enhanced", "answers show when contacts joined")],
    },
    {
      usage: "rename <id> <name>",
      summary: "Rename a list.",
      examples: ["headwater lists rename 1 summer-2026"],
      operation: "updateAccountlist",
      body: ([, name]) => ({ name }),
    },
    {
      usage: "delete <id>",
      summary: "Delete a list. Its contacts stay.",
      examples: ["headwater lists delete 1 --yes"],
      operation: "deleteAccountlist",
      confirm: ([id]) => `Delete the list ${id}?`,
    },
    {
      usage: "count <id>",
      summary: "Count the contacts on a list now.",
      examples: ["headwater lists count 1", "headwater lists count 1 --json --fields count"],
      operation: "countAccountlist",
    },
    {
      usage: "clear <id>",
      summary: "Remove all contacts from a list. It is empty at once; a job removes the stored memberships.",
      examples: ["headwater lists clear 1 --yes --wait"],
      operation: "clearAccountlist",
      confirm: ([id]) => `Remove every contact from the list ${id}?`,
    },
    listsAdd,
    listsRemove,
  ],
};
