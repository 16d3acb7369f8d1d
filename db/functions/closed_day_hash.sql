-- What a closed day says, with its lines, its balances and the hash of the day before, as 32 bytes. `verify` makes it again.
create or replace function closed_day_hash(
  p_previous bytea, p_day date, p_through bigint, p_reads_from bigint, p_movements bigint, p_corrections bigint,
  p_closed_at timestamptz, p_closed_by text
) returns bytea language sql stable as $$
  select sha256(coalesce(p_previous, ''::bytea)
    || convert_to(concat_ws('|', p_day - date '2000-01-01', p_through, p_reads_from, p_movements, p_corrections,
                            (extract(epoch from p_closed_at) * 1000000)::bigint, p_closed_by), 'UTF8')
    || sha256(convert_to(coalesce((
         select string_agg(concat_ws('|', account, asset, partner_id, kind, belongs_to - date '2000-01-01', debit, credit,
                                     debit_count, credit_count), E'\n'
                           order by account collate "C", asset collate "C", partner_id, kind collate "C", belongs_to)
           from closed_day_line where day = p_day), ''), 'UTF8'))
    || sha256(convert_to(coalesce((
         select string_agg(concat_ws('|', account, asset, partner_id, opening, debit, credit, closing), E'\n'
                           order by account collate "C", asset collate "C", partner_id)
           from closed_day_balance where day = p_day), ''), 'UTF8')))
$$;
