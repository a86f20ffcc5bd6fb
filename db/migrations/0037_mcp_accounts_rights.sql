alter table mcp_account force row level security;
--> statement-breakpoint
grant select, insert, update, delete on mcp_account to bailiwick_app;
--> statement-breakpoint
-- Servers where people sign in are looked at by nobody but them.
grant select (auth) on mcp_server to bailiwick_platform;
