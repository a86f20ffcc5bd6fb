-- Three group roles that nobody can sign in as. A connection takes one of them on at its start (`role` in the startup
-- packet), so that DATABASE_URL, the owner's, is the only credential. Roles belong to the cluster: several Bailiwick
-- databases on one cluster share the three names, and each grants them rights in its own tables only.
do $$
declare
  name text;
begin
  foreach name in array array['bailiwick_app', 'bailiwick_engine', 'bailiwick_platform'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception
        when duplicate_object or unique_violation then null; -- another database of this cluster was faster
        when insufficient_privilege then
          raise exception 'The database user "%" may not create roles. Run: alter role "%" createrole; then start again.', current_user, current_user
            using errcode = 'insufficient_privilege';
      end;
    end if;
    begin
      execute format('grant %I to %I', name, current_user);
    exception
      when insufficient_privilege then
        begin
          -- Somebody else made the roles, and may have let this user act as them.
          execute format('set local role %I', name);
          execute 'reset role';
        exception
          when insufficient_privilege then
            raise exception 'The database user "%" may not act as "%". Run as a superuser: grant bailiwick_app, bailiwick_engine, bailiwick_platform to "%"; then start again.', current_user, name, current_user
              using errcode = 'insufficient_privilege';
        end;
    end;
    execute format('grant usage on schema public to %I', name);
  end loop;
end $$;
--> statement-breakpoint
-- FORCE: the tables' owner is held to the policies too.
do $$
declare
  name text;
begin
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
-- Platform tables: no tenant, or needed before one is known.
grant select, insert, update on tenant, app_user, sign_in_session, platform_setting to bailiwick_app;
grant select, insert, delete on api_key_hash to bailiwick_app;
grant select, insert, update, delete on rate_limit to bailiwick_app;
grant select, insert on platform_audit to bailiwick_app;
--> statement-breakpoint
-- Tenant tables.
grant select, insert, update, delete on role, tenant_member, api_key, agent_session, message, knowledge_document, knowledge_chunk, knowledge_token, stored_fact to bailiwick_app;
grant select, insert, update on run, invocation, question to bailiwick_app;
--> statement-breakpoint
-- Append-only records.
grant select, insert on session_event, agent_conversation_message, run_event, node_record, invocation_transition, audit_event to bailiwick_app;
--> statement-breakpoint
-- Jobs of the platform see every tenant, in these tables and columns of work alone (their queries: db/platform-queries.ts).
do $$
declare
  name text;
begin
  foreach name in array array['run', 'run_event', 'agent_session', 'session_event', 'message', 'question', 'audit_event'] loop
    execute format('create policy %I on %I for all to bailiwick_platform using (true) with check (true)', name || '_platform', name);
  end loop;
end $$;
--> statement-breakpoint
grant select, update on run, agent_session, message, question to bailiwick_platform;
grant select, insert, delete on run_event to bailiwick_platform;
grant select, insert on session_event, audit_event to bailiwick_platform;
grant select on tenant, app_user to bailiwick_platform;
grant select, delete on sign_in_session, rate_limit to bailiwick_platform;
