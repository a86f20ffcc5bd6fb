-- Roles that are built in have the rights that the code gives them; those of older tenants were stored before these rights were.
alter table role no force row level security;
--> statement-breakpoint
update role set permissions = permissions || array['mcp:read', 'mcp:manage']
where is_built_in and key in ('owner', 'admin') and not permissions && array['mcp:read'];
--> statement-breakpoint
update role set permissions = permissions || array['mcp:read']
where is_built_in and key in ('builder', 'auditor') and not permissions && array['mcp:read'];
--> statement-breakpoint
alter table role force row level security;
