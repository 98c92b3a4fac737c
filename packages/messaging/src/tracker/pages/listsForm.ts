import type { ShownLists } from "../preferences/offeredLists.ts";
import { escapeHtml } from "./html.ts";

/** A form with a box for each list; it says also which were checked, so that a change is known without a store. */
export function listsForm({ lists, joined }: ShownLists): string {
  if (lists.length === 0) return "";
  const boxes = lists.map(({ name, displayName }) => {
    const checked = joined.has(name) ? " checked" : "";
    const box = `<input type="checkbox" name="list" value="${escapeHtml(name)}"${checked}>`;
    return `<label>${box} ${escapeHtml(displayName)}</label>`;
  });
  return `
<form method="post">
<fieldset><legend>Or choose your lists</legend>
${boxes.join("\n")}
</fieldset>
${hidden("shown", joined)}
<button name="action" value="lists">Save lists</button>
</form>`;
}

/** A form that goes back to the lists of before. */
export function undoListsForm({ joined }: ShownLists, before: ReadonlySet<string>): string {
  return `<form method="post">${hidden("shown", joined)}${hidden("list", before)}
<button name="action" value="lists">Undo</button></form>`;
}

function hidden(member: "list" | "shown", names: ReadonlySet<string>): string {
  return [...names].map((name) => `<input type="hidden" name="${member}" value="${escapeHtml(name)}">`).join("");
}
