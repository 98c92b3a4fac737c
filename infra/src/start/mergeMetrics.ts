interface Family {
  readonly comments: string[];
  readonly samples: string[];
}

/**
 * One Prometheus page from those of several processes: each sample gets the label `app`, and the samples of one metric stand
 * together under one HELP and TYPE, as the format demands.
 */
export function mergeMetrics(pages: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  for (const [app, page] of pages) addPage(families, app, page);
  return [...families.values()]
    .flatMap(({ comments, samples }) => [...comments, ...samples])
    .join("\n")
    .concat("\n");
}

function addPage(families: Map<string, Family>, app: string, page: string): void {
  let current = "";
  for (const line of page.split("\n")) {
    const described = line.match(/^# (?:HELP|TYPE) (\S+)/)?.[1];
    if (described !== undefined) current = described;
    const sample = line.match(/^([A-Za-z_:][\w:]*)(\{(.*)\})?( .+)$/);
    if (described === undefined && sample === null) continue;
    const family = families.get(current) ?? { comments: [], samples: [] };
    families.set(current, family);
    if (sample !== null) family.samples.push(withApp(app, sample));
    else if (!family.comments.includes(line) && family.comments.length < 2) family.comments.push(line);
  }
}

function withApp(app: string, [, name, , labels, rest]: RegExpMatchArray): string {
  const others = labels === undefined || labels === "" ? "" : `,${labels}`;
  return `${name}{app="${app}"${others}}${rest}`;
}
