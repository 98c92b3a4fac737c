/** Stats of a message, in the order in which reports show them. `revenue` is a decimal in the account's currency. */
export const MESSAGE_STATS = [
  "sent",
  "delivered",
  "bounce_hard",
  "bounce_soft",
  "bounce_total",
  "opens",
  "opens_unique",
  "opens_machine",
  "clicks",
  "clicks_unique",
  "clicks_machine",
  "opt_outs",
  "complaints",
  "orders",
  "revenue",
] as const;
export type MessageStat = (typeof MESSAGE_STATS)[number];

/** Every stat; `revenue` is decimal text, so that no digit is lost. */
export type MessageCounts = Readonly<Record<Exclude<MessageStat, "revenue">, number>> & { readonly revenue: string };

type Ratio = readonly [count: Exclude<MessageStat, "revenue">, per: Exclude<MessageStat, "revenue">];

const ratios = {
  delivered_rate: ["delivered", "sent"],
  bounce_rate: ["bounce_total", "sent"],
  open_rate: ["opens_unique", "delivered"],
  click_through_rate: ["clicks_unique", "delivered"],
  click_to_open_rate: ["clicks_unique", "opens_unique"],
  opt_out_rate: ["opt_outs", "delivered"],
  complaint_rate: ["complaints", "delivered"],
} as const satisfies Readonly<Record<string, Ratio>>;
export type MessageRate = keyof typeof ratios;

export const MESSAGE_RATES = [
  "delivered_rate",
  "bounce_rate",
  "open_rate",
  "click_through_rate",
  "click_to_open_rate",
  "opt_out_rate",
  "complaint_rate",
] as const satisfies readonly MessageRate[];

const UNIT = 10_000;

/** The rates of counts: fractions of four digits, rounded half up; null over 0. */
export function ratesOf(counts: Omit<MessageCounts, "revenue">): Readonly<Record<MessageRate, number | null>> {
  const rate = ([count, per]: Ratio) => fraction(counts[count], counts[per]);
  return {
    delivered_rate: rate(ratios.delivered_rate),
    bounce_rate: rate(ratios.bounce_rate),
    open_rate: rate(ratios.open_rate),
    click_through_rate: rate(ratios.click_through_rate),
    click_to_open_rate: rate(ratios.click_to_open_rate),
    opt_out_rate: rate(ratios.opt_out_rate),
    complaint_rate: rate(ratios.complaint_rate),
  };
}

/** Whole numbers throughout, as in `rateSql`: both round alike. */
function fraction(count: number, per: number): number | null {
  if (per === 0) return null;
  const twice = 2 * UNIT * count + per;
  return (twice - (twice % (2 * per))) / (2 * per) / UNIT;
}

/** The SQL of a rate over columns that are named as the stats. */
export function rateSql(rate: MessageRate): string {
  const [count, per] = ratios[rate];
  return `if(${per} = 0, NULL, intDivOrZero(${2 * UNIT} * ${count} + ${per}, 2 * ${per}) / ${UNIT})`;
}
