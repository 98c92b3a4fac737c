import { createServer } from "node:http";

/** Collector of traces that keeps the spans it is sent. */
export interface Collector {
  readonly spans: readonly { readonly traceId: string; readonly name: string; readonly service: string }[];
  readonly endpoint: string;
  stop(): void;
}

export async function startCollector(): Promise<Collector> {
  const spans: Collector["spans"][number][] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === "service.name").value.stringValue;
      for (const { spans: ofScope } of scopeSpans) {
        for (const { traceId, name } of ofScope) spans.push({ traceId, name, service });
      }
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { spans, endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
