alter table invitation force row level security;
--> statement-breakpoint
grant select, insert, update on invitation to bailiwick_app;
--> statement-breakpoint
grant select, insert on invitation_hash to bailiwick_app;
--> statement-breakpoint
-- What the app asks for, the platform's job does: it alone says how far a purge has come.
grant select, insert on tenant_purge to bailiwick_app;
--> statement-breakpoint
grant select, update on tenant_purge to bailiwick_platform;
--> statement-breakpoint
grant insert on platform_audit to bailiwick_platform;
--> statement-breakpoint
-- How many there are is all that operators are told: the column that a count needs, and no other.
do $$
declare
  name text;
begin
  foreach name in array array['tenant_member', 'knowledge_document'] loop
    execute format('create policy %I on %I for select to bailiwick_platform using (true)', name || '_platform', name);
    execute format('grant select (tenant_id) on %I to bailiwick_platform', name);
  end loop;
end $$;
--> statement-breakpoint
-- Removes up to "batch" rows of a closed tenant from one of its tables and returns how many; with a batch of null it counts.
-- As the tables' owner, since records are append-only for everyone else; a tenant that lives is refused. It enters the tenant,
-- so that row-level security holds here too.
create function bailiwick_purge_rows(table_name text, tenant uuid, batch integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  affected integer;
begin
  if not exists (select from public.tenant t where t.id = tenant and t.deleted_at is not null) then
    raise exception 'only the rows of a closed tenant can be purged';
  end if;
  if not exists (
    select from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = table_name and a.attname = 'tenant_id' and not a.attisdropped
  ) then
    raise exception 'there is no table % of tenants', table_name;
  end if;
  perform set_config('app.tenant_id', tenant::text, true);
  if batch is null then
    execute format('select count(*)::integer from public.%I where tenant_id = $1', table_name) into affected using tenant;
  else
    execute format('delete from public.%1$I where ctid = any (array(select ctid from public.%1$I where tenant_id = $1 limit $2))', table_name) using tenant, batch;
    get diagnostics affected = row_count;
  end if;
  return affected;
end $$;
--> statement-breakpoint
-- The last of it: the tenant's own row.
create function bailiwick_purge_tenant(tenant uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  delete from public.tenant t where t.id = tenant and t.deleted_at is not null;
end $$;
--> statement-breakpoint
revoke execute on function bailiwick_purge_rows (text, uuid, integer), bailiwick_purge_tenant (uuid) from public;
--> statement-breakpoint
grant execute on function bailiwick_purge_rows (text, uuid, integer), bailiwick_purge_tenant (uuid) to bailiwick_platform;
