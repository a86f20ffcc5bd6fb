do $$
declare
  name text;
begin
  foreach name in array array['embedding_space', 'knowledge_embedding', 'embedding_call'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
grant select, insert, update, delete on embedding_space to bailiwick_app;
grant select, insert, delete on knowledge_embedding to bailiwick_app;
grant select, insert, update on embedding_call to bailiwick_app;
--> statement-breakpoint
-- Numbers do not compress; trying costs time.
alter table knowledge_embedding alter column embedding set storage external;
--> statement-breakpoint
-- The job that makes vectors finds in every tenant where some are missing; it reads nothing of what is embedded.
create policy embedding_space_platform on embedding_space for select to bailiwick_platform using (true);
--> statement-breakpoint
grant select (tenant_id, id, wanted, done, leased_until, retry_at) on embedding_space to bailiwick_platform;
