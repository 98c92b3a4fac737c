import { expect, test } from "vitest";
import { checkLiquid } from "./checkLiquid.ts";

const pathsOf = (text: string) => checkLiquid(text).mistakes.all.map(({ line, column }) => [line, column]);

test.each([
  [
    "{{ a | nofilter }}\n{{ b\n{% nosuch %}",
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  ],
  [
    "{{ b\n{{ a | nofilter }} {% include key %}\n",
    [
      [1, 1],
      [2, 20],
    ],
  ],
  [
    '{{ "b }}\n{{ a | nofilter }}',
    [
      [1, 1],
      [2, 1],
    ],
  ],
  ["{% if a %}\n{{ b\n{% endif %}", [[2, 1]]],
  [
    "{{ a | nofilter }}\n{% assign b = 1\n{{ c | nofilter }}",
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  ],
  [
    "{{ a | nofilter }}\n{% raw %}{{ b | nofilter }}",
    [
      [1, 1],
      [2, 1],
    ],
  ],
  [
    "{{ a | nofilter }}\n{% 1 %}\n{% nosuch %}",
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  ],
  ["{{ a", [[1, 1]]],
])("%j: all of its mistakes are listed", (text, paths) => {
  expect(pathsOf(text)).toEqual(paths);
});

test("includes around what is not closed are found", () => {
  expect(checkLiquid("{% include 'a' %}{% if x\n{% include 'b' %}").includes.map(({ key }) => key)).toEqual(["a"]);
});

test.each([
  ["a\n{{ x | date: '%d %Q %Q' }}", [2, 14], '"%Q"'],
  ["{{ x | date: '%d 100%' }}", [1, 14], '"%"'],
  ["{% assign y = x | upcase | date: '%É' %}", [1, 34], '"%É"'],
  ["{% if a %}{% for i in b %}\n {{ i | date: '%i' }}{% endfor %}{% endif %}", [2, 15], '"%i"'],
  ["{{ x | date: '%d', '+02:00' }}", [1, 20], '"+02:00"'],
  ["{{ x | date: '%d', 'Mars/Base' }}", [1, 20], '"Mars/Base"'],
])("%j has a date that cannot be written", (text, position, named) => {
  const { all } = checkLiquid(text).mistakes;
  expect(all.map(({ line, column }) => [line, column])).toEqual([position]);
  expect(all[0]?.message).toContain(named);
});

test("dates that can be written are no mistakes", () => {
  const formats = ["%Y-%m-%dT%H:%M:%S%:z", "%-d. %^B %%", "%3N %_5d %F %T", ""];
  const texts = formats.map((format) => `{{ x | date: "${format}", 'europe/berlin', 'de' }}`);
  expect(pathsOf(`${texts.join("")}{{ x | date: format, zone }}{{ x | date }}{{ x | append: '%Q' }}`)).toEqual([]);
});

test.each(["{{", "{% ", "{{ '", "{{ a {% b "])("5 MiB of %j end soon", (piece) => {
  const begun = performance.now();
  expect(pathsOf(piece.repeat(5_000_000 / piece.length)).length).toBeGreaterThan(0);
  expect(performance.now() - begun).toBeLessThan(20_000);
});
