// Figures that are not those of their rows, each with the check that must find it.
const TODAY = 'seoul_date(service_now())'

export const FIGURE_MISTAKES: [check: string, mistake: string][] = [
  [
    'card_figures_are_of_their_cards',
    `insert into card_day (day, partner_id, issued, issued_won) select ${TODAY}, min(id), 1, 1000 from partner`,
  ],
  [
    'expiry_figures_are_of_their_cards',
    `insert into card_expiry (expires_on, partner_id, large, cards, won) select ${TODAY} + 9, min(id), true, 1, 600000 from partner`,
  ],
  [
    'order_figures_are_of_their_orders',
    `insert into order_day (day, metal, side, orders, won, units) values (${TODAY}, 'XAU', 'buy', 1, 1, 1)`,
  ],
  [
    'withdrawal_figures_are_of_their_withdrawals',
    `insert into withdrawal_day (day, outcome, withdrawals, won) values (${TODAY}, 'paid', 1, 1)`,
  ],
  [
    'delivery_figures_are_of_their_messages',
    `insert into delivery_day (day, channel, status, provider, reason, messages)
     values (${TODAY}, 'text', 'failed', 'x', 'x', 1)`,
  ],
  [
    'member_figures_are_of_their_members',
    `update figure_source set through_day = ${TODAY} where source = 'member';
     insert into member_day (day, members) values (${TODAY}, 1000)
     on conflict (day) do update set members = member_day.members + 1`,
  ],
]
