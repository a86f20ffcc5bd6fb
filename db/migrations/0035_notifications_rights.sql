do $$
declare
  name text;
begin
  foreach name in array array['notice', 'notice_delivery', 'notice_attempt', 'notice_webhook', 'notice_preference'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
grant select, insert, update on notice, notice_delivery, notice_preference to bailiwick_app;
--> statement-breakpoint
grant select, insert, update, delete on notice_webhook to bailiwick_app;
--> statement-breakpoint
-- Append-only.
grant select, insert on notice_attempt to bailiwick_app;
--> statement-breakpoint
-- The job that spreads, delivers and deletes notices finds them in every tenant; it reads none of their content.
create policy notice_platform on notice for all to bailiwick_platform using (true) with check (true);
create policy notice_delivery_platform on notice_delivery for all to bailiwick_platform using (true) with check (true);
--> statement-breakpoint
grant select (tenant_id, id, created_at, spread_at), delete on notice to bailiwick_platform;
grant select (tenant_id, id, notice_id, state, next_attempt_at, leased_until) on notice_delivery to bailiwick_platform;
