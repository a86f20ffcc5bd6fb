alter table tenant_plugin_install force row level security;
--> statement-breakpoint
alter table plugin_operation force row level security;
--> statement-breakpoint
alter table plugin_settings_snapshot force row level security;
--> statement-breakpoint
alter table plugin_request force row level security;
--> statement-breakpoint
grant select, insert, update, delete on tenant_plugin_install to bailiwick_app;
--> statement-breakpoint
grant select, insert, update on plugin_operation, plugin_request to bailiwick_app;
--> statement-breakpoint
grant select, insert on plugin_settings_snapshot to bailiwick_app;
--> statement-breakpoint
-- The platform finds operations that stand still; whoever carries one on acts within its tenant.
create policy plugin_operation_platform on plugin_operation for select to bailiwick_platform using (true);
--> statement-breakpoint
grant select on plugin_operation to bailiwick_platform;
