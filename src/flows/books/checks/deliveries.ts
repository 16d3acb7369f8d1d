// Invariants of the messages that carry a card. Each returns the rows that break it. There are several messages for each card: they
// are read in one pass, not asked for card by card.
export const DELIVERY_CHECKS = {
  card_has_a_message_on_each_channel: `
    select c.id::text as id from gift_card c
      left join (select card_id, count(*) as messages from delivery where purpose = 'gift' group by card_id) d on d.card_id = c.id
     where d.messages is distinct from 2`,
  message_has_its_card: `
    select d.id::text as id from delivery d left join gift_card c on c.id = d.card_id where c.id is null`,
  message_agrees_with_its_history: `
    select d.id::text as id from delivery d
      left join (select delivery_id, max(id) as id from delivery_event group by delivery_id) newest on newest.delivery_id = d.id
      left join delivery_event last on last.id = newest.id
     where d.status <> coalesce(last.status, 'queued')
       -- Older ones have lost theirs (docs/retention.md).
       and (d.settled_at is null or d.settled_at > (select service_now()) - interval '6 years')`,
  cancellation_is_of_a_cancelled_card: `
    select d.id::text as id from delivery d join gift_card c on c.id = d.card_id
     where d.purpose = 'cancellation' and c.status <> 'voided'`,
  cancellation_follows_a_message_that_left: `
    select d.id::text as id from delivery d
     where d.purpose = 'cancellation' and d.attempt > 0
       and not exists (select from delivery o where o.card_id = d.card_id and o.purpose <> 'cancellation'
                          and o.attempt > 0)`,
  no_message_is_forgotten: `
    select id::text as id from delivery
     where settled_at is null and greatest(due_at, claimed_until) < now() - interval '1 day'`,
} as const
