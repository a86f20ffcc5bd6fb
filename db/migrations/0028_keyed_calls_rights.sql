alter table keyed_call force row level security;
--> statement-breakpoint
grant select, insert, update, delete on keyed_call to bailiwick_app;
