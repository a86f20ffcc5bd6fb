alter table group_role force row level security;
--> statement-breakpoint
grant select, insert, delete on password_reset to bailiwick_app;
--> statement-breakpoint
grant select, insert on oidc_identity to bailiwick_app;
--> statement-breakpoint
grant select, insert, delete on group_role to bailiwick_app;
