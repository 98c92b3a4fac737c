import { listsAdd, listsRemove } from "../commands/listsMembers.ts";
import { listId } from "../requests/listId.ts";
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
      usage: "get <list>",
      summary: "Show one list, by its name or id.",
      examples: ["headwater lists get vip", "headwater lists get 1"],
      operation: "getAccountlist",
      idOf: listId,
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
      usage: "rename <list> <name>",
      summary: "Rename a list.",
      examples: ["headwater lists rename spring-2026 summer-2026"],
      operation: "updateAccountlist",
      idOf: listId,
      body: ([, name]) => ({ name }),
    },
    {
      usage: "delete <list>",
      summary: "Delete a list. Its contacts stay.",
      examples: ["headwater lists delete vip --yes"],
      operation: "deleteAccountlist",
      idOf: listId,
      confirm: ([list]) => `Delete the list ${list}?`,
    },
    {
      usage: "count <list>",
      summary: "Count the contacts on a list now.",
      examples: ["headwater lists count vip", "headwater lists count 1 --json --fields count"],
      operation: "countAccountlist",
      idOf: listId,
    },
    {
      usage: "clear <list>",
      summary: "Remove all contacts from a list. It is empty at once; a job removes the stored memberships.",
      examples: ["headwater lists clear vip --yes --wait"],
      operation: "clearAccountlist",
      idOf: listId,
      confirm: ([list]) => `Remove every contact from the list ${list}?`,
    },
    listsAdd,
    listsRemove,
  ],
};
