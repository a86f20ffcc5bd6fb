do $$
declare
  name text;
begin
  foreach name in array array['approval', 'approval_policy', 'approval_grant'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
grant select, insert, update on approval, approval_policy, approval_grant to bailiwick_app;
--> statement-breakpoint
-- The job that ends approvals whose time is over finds their runs in every tenant; what was to be called it does not read.
create policy approval_platform on approval for select to bailiwick_platform using (true);
--> statement-breakpoint
grant select (tenant_id, run_id, state, expires_at) on approval to bailiwick_platform;
