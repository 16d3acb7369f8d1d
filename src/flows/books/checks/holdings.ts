// Invariants of what people hold. Each returns the rows that break it.
export const HOLDING_CHECKS = {
  grants_are_of_a_sandbox: `
    select t.id::text as id from transfer t, installation i where t.kind = 'grant' and i.mode <> 'sandbox'`,
  // A link that the member has decided on holds nothing any more: it became the member's.
  holding_has_its_holder: `
    select a.id::text as id from account a
      left join member m on m.id = a.holder_id
      left join partner_user u on u.id = a.holder_id
            and (not u.confirmed and u.status <> 'refused' or a.balance = 0 and a.cost = 0)
     where a.kind = 'holding' and m.id is null and u.id is null`,
} as const
