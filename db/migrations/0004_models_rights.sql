alter table model_call force row level security;
--> statement-breakpoint
alter table model_provider force row level security;
--> statement-breakpoint
grant select, insert on model_call to bailiwick_app;
--> statement-breakpoint
grant select, insert, update, delete on model_provider to bailiwick_app;
