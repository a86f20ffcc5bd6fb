alter table access_request force row level security;
--> statement-breakpoint
grant select, insert, update on access_request to bailiwick_app;
