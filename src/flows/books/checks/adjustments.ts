// What was corrected by hand: each movement is a request that two people agreed on, to the won, and each such request moved
// once. A link's holding may have become its member's since. Each returns the rows that break it.
const MOVED = `
  select t.id, t.group_id, t.asset, t.at, case t.kind when 'adjust_up' then t.amount else -t.amount end as amount,
         coalesce(u.member_id, a.holder_id) as owner
    from transfer t
    left join account a on a.id = case t.kind when 'adjust_up' then t.credit_account else t.debit_account end
    left join partner_user u on u.id = a.holder_id
   where t.kind in ('adjust_up', 'adjust_down')`

const AGREED = `
  select r.id, r.decided_at, r.payload::jsonb ->> 'asset' as asset, r.payload::jsonb ->> 'amount' as amount,
         coalesce(u.member_id::text, r.subject) as owner
    from change_request r left join partner_user u on u.id::text = r.subject
   where r.kind = 'adjustment' and r.status = 'executed' and (r.checker <> r.maker or r.single_person)`

export const ADJUSTMENT_CHECKS = {
  adjustment_took_two_people: `
    select m.id::text as id from (${MOVED}) m cross join installation i
      left join (${AGREED}) r on r.id = m.group_id and r.asset = m.asset and r.amount = m.amount::text
                             and r.owner = m.owner::text
                             and r.decided_at between m.at - i.clock_offset and m.at + i.clock_offset
     where r.id is null`,
  agreed_adjustment_moved_once: `
    select r.id::text as id from (${AGREED}) r left join (${MOVED}) m on m.group_id = r.id
     group by r.id having count(m.id) <> 1`,
} as const
