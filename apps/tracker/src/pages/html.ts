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

const STYLE = `
body { margin: 0; background: #f4f5f7; color: #1d2733; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 8px; }
h1 { margin-top: 0; font-size: 1.4rem; }
label { display: block; margin: 1rem 0; }
fieldset { margin: 2rem 0 1rem; padding: 0.5rem 1rem; border: 1px solid #cfd6de; border-radius: 6px; }
fieldset label { margin: 0.5rem 0; }
textarea { width: 100%; box-sizing: border-box; font: inherit; }
button { padding: 0.6rem 1.2rem; border: 0; border-radius: 6px; background: #1b5fc1; color: #fff; font: inherit; }
`.trim();
