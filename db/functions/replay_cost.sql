-- The cost of each sale's metal, by the moving average, over one holder's movements in order.
create or replace aggregate replay_cost(text, bigint, bigint, bigint, bigint) (
  sfunc = replay_cost_step, stype = numeric[], initcond = '{}'
);
