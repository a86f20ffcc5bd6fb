alter table mcp_server force row level security;
--> statement-breakpoint
alter table mcp_tool force row level security;
--> statement-breakpoint
grant select, insert, update, delete on mcp_server, mcp_tool to bailiwick_app;
--> statement-breakpoint
-- The platform hands out servers that are to be looked at; whoever looks acts within its tenant.
create policy mcp_server_platform on mcp_server for all to bailiwick_platform using (true) with check (true);
--> statement-breakpoint
grant select (tenant_id, id, is_enabled, next_check_at), update (next_check_at) on mcp_server to bailiwick_platform;
