alter table ontology_term force row level security;
--> statement-breakpoint
grant select, insert, update, delete on ontology_term to bailiwick_app;
