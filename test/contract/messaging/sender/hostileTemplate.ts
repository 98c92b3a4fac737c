const ENDLESS = "{% for a in (1..30000) %}{% for b in (1..30000) %}{% endfor %}{% endfor %}";
const GREEDY = "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..30) %}{% assign a = a | append: a %}{% endfor %}{{ a }}";

/** Liquid that takes all the time that a render may have; one in four takes all the memory. */
export function hostileTemplate(position: number): string {
  return position % 4 === 0 ? GREEDY : ENDLESS;
}
