import { expect, test } from "vitest";
import { shippedFiles } from "./repository.ts";

/** The one file that passes all ports on: every resource takes its own out of them. */
const COMPOSITION = "apps/service/src/routes.ts";
const ALL_PORTS = /[:&] (?:Service|Route)Ports\b(?!\[)/;

test("no route, handler or resource of the service takes all ports, but only those it uses", () => {
  const files = shippedFiles().filter(
    ({ path, text }) =>
      !path.startsWith("infra/") && path !== COMPOSITION && !path.endsWith("/ports.ts") && text.includes("RoutePorts"),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter(({ text }) => ALL_PORTS.test(text)).map(({ path }) => path)).toEqual([]);
});

test("the search finds a parameter that takes all ports", () => {
  expect(ALL_PORTS.test("export function getOrder(ports: ServicePorts): Route {")).toBe(true);
  expect(ALL_PORTS.test('export function getOrder(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {')).toBe(
    false,
  );
});
