alter table model_price force row level security;
--> statement-breakpoint
grant select, insert, update on model_price to bailiwick_app;
