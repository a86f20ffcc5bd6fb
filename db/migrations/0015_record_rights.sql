do $$
declare
  name text;
begin
  foreach name in array array['run_word', 'run_reveal', 'run_export', 'run_export_part'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
-- Append-only records.
grant select, insert on run_word, run_reveal to bailiwick_app;
--> statement-breakpoint
grant select, insert, update on run_export to bailiwick_app;
grant select, insert, delete on run_export_part to bailiwick_app;
--> statement-breakpoint
-- The job that writes exports and deletes old ones finds them in every tenant; it reads none of their content.
do $$
declare
  name text;
begin
  foreach name in array array['run_export', 'run_export_part'] loop
    execute format('create policy %I on %I for all to bailiwick_platform using (true) with check (true)', name || '_platform', name);
  end loop;
end $$;
--> statement-breakpoint
grant select, update on run_export to bailiwick_platform;
grant select (tenant_id, export_id, ordinal), delete on run_export_part to bailiwick_platform;
--> statement-breakpoint
-- What follows reads and writes rows of every tenant; the owner is held to the policies too, except while this lasts.
alter table run no force row level security;
alter table run_word no force row level security;
alter table model_call no force row level security;
--> statement-breakpoint
-- Runs of before are found by their words: letters, and pairs of Chinese characters. What may be personal (numbers, mail
-- addresses) stays out of the index.
insert into run_word (tenant_id, token, run_id)
select distinct r.tenant_id, left(w.word, 64), r.id
from run r, lateral (
  select (regexp_matches(lower(regexp_replace(r.input, '\S+@\S+', ' ', 'g')), '[a-z]{2,}', 'g'))[1] as word
  union
  select substr(r.input, at, 2) from generate_series(1, least(length(r.input) - 1, 2000)) as at where substr(r.input, at, 2) ~ '^[一-鿿]{2}$'
) as w
on conflict do nothing;
--> statement-breakpoint
update run r set cost_micros = c.cost, cost_currency = c.currency
from (
  select tenant_id, run_id, sum(cost_micros) as cost, min(currency) as currency from model_call
  group by tenant_id, run_id having count(*) = count(cost_micros) and count(distinct currency) = 1
) as c
where c.tenant_id = r.tenant_id and c.run_id = r.id and r.ended_at is not null;
--> statement-breakpoint
alter table run force row level security;
alter table run_word force row level security;
alter table model_call force row level security;
