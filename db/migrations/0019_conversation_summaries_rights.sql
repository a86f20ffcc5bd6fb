alter table conversation_summary force row level security;
--> statement-breakpoint
-- Append-only records.
grant select, insert on conversation_summary to bailiwick_app;
