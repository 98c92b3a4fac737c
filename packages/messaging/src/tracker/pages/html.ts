const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text as it stands in HTML and in the values of its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}

/** Puts the body of a page into a document that loads nothing and runs nothing. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`;
}

/** Contrasts are at least 4.5 to 1 for text and 3 to 1 for edges (WCAG 2.2, AA), in light and in dark. */
const STYLE = `
:root { color-scheme: light dark; --page: #eef1f5; --card: #fff; --text: #1a2430; --soft: #4a5868; --edge: #75818f;
  --main: #1a56b0; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #11161d; --card: #1b232d; --text: #edf1f6; --soft: #b3bfcc; --edge: #7d8b9b;
  --main: #8ab4f8; --on-main: #0b1c33; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: max(1rem, 8vh) auto; padding: clamp(1.25rem, 5vw, 2.5rem); background: var(--card); border-radius: 12px;
  box-shadow: 0 1px 3px rgb(0 0 0 / 20%); overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
p { margin: 0 0 1rem; }
form + form, p + p { margin-top: 1.5rem; }
form + form { padding-top: 1.5rem; border-top: 1px solid var(--edge); }
label { display: block; margin: 0 0 1rem; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { margin-bottom: 0.5rem; padding: 0; font-weight: 600; }
fieldset label { display: flex; gap: 0.75rem; align-items: center; min-height: 2.75rem; margin: 0; }
fieldset input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--main); }
textarea { display: block; width: 100%; margin-top: 0.25rem; padding: 0.6rem; border: 1px solid var(--edge); border-radius: 8px;
  background: var(--card); color: inherit; font: inherit; resize: vertical; }
button { min-height: 2.75rem; padding: 0.6rem 1.4rem; border: 2px solid var(--main); border-radius: 8px; background: var(--main);
  color: var(--on-main); font: inherit; font-weight: 600; cursor: pointer; }
button[value=lists], button[value=undo] { background: transparent; color: var(--main); }
a { color: var(--main); }
small { color: var(--soft); font-size: 0.9rem; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
@media (max-width: 30rem) { button { width: 100%; } }
`.trim();
