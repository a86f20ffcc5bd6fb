alter table budget force row level security;
--> statement-breakpoint
alter table budget_use force row level security;
--> statement-breakpoint
alter table budget_hold force row level security;
--> statement-breakpoint
grant select, insert, update, delete on budget to bailiwick_app;
--> statement-breakpoint
grant select, insert, update on budget_use to bailiwick_app;
--> statement-breakpoint
grant select, insert, update, delete on budget_hold to bailiwick_app;
--> statement-breakpoint
-- Roles that are built in have the rights that the code gives them; those of older tenants were stored before these rights were.
alter table role no force row level security;
--> statement-breakpoint
update role set permissions = permissions || array['budget:read', 'budget:manage']
where is_built_in and key in ('owner', 'admin') and not permissions && array['budget:read'];
--> statement-breakpoint
update role set permissions = permissions || array['budget:read']
where is_built_in and key = 'auditor' and not permissions && array['budget:read'];
--> statement-breakpoint
alter table role force row level security;
