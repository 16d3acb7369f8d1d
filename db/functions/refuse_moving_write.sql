-- The trigger of every table while the installation is being moved. Creating a trigger waits for the transactions that have
-- written to its table. So when it is there, no write that began earlier can still commit. Callers answer 503: class 57
-- stands for an operator's intervention.
create or replace function refuse_moving_write() returns trigger
  language plpgsql as $$
begin
  raise exception using errcode = '57M01', message = 'writes are stopped: this installation is being moved';
end
$$;
