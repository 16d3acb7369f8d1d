-- The moving average, played back: what each sale's metal had cost. The state is [that cost, then by account: its id, what
-- it holds, what that cost]. One run is over what a member and the member's links moved of one metal, in order.
create or replace function replay_cost_step(
  p_state numeric[], p_kind text, p_debit bigint, p_credit bigint, p_amount bigint, p_cost bigint
) returns numeric[] language plpgsql immutable as $$
declare
  v_from   integer;
  v_to     integer;
  v_moved  numeric := 0;
begin
  p_state[1] := null;
  for i in 2 .. coalesce(array_length(p_state, 1), 1) by 3 loop
    if p_state[i] = p_debit then v_from := i; end if;
    if p_state[i] = p_credit then v_to := i; end if;
  end loop;
  if p_kind in ('buy', 'grant', 'join') and v_to is null then
    v_to := coalesce(array_length(p_state, 1), 1) + 1;
    p_state[v_to : v_to + 2] := array[p_credit, 0, 0];
  end if;
  if p_kind in ('sell', 'join', 'waive') and v_from is not null then
    if p_kind = 'sell' then
      p_state[1] := ceil(p_state[v_from + 2] * p_amount / nullif(p_state[v_from + 1], 0));
      v_moved := p_cost;
    else
      v_moved := p_state[v_from + 2];
    end if;
    p_state[v_from + 1] := p_state[v_from + 1] - p_amount;
    p_state[v_from + 2] := p_state[v_from + 2] - v_moved;
  end if;
  if v_to is not null and p_kind in ('buy', 'grant', 'join') then
    p_state[v_to + 1] := p_state[v_to + 1] + p_amount;
    p_state[v_to + 2] := p_state[v_to + 2] + case p_kind when 'buy' then p_cost when 'join' then v_moved else 0 end;
  end if;
  return p_state;
end $$;
